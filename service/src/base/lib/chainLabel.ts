const labels: Readonly<Record<string, string>> = { bsc: 'BNB Smart Chain' }

/** Returns a chain's name for people: `base-sepolia` is Base Sepolia. */
export const chainLabel = (chain: string): string =>
  labels[chain] ??
  chain
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')
