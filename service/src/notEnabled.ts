/** Says that a chain is on the interface's list and not on this deployment's. */
export const notEnabled = (
  { chains }: { chains: { readonly enabled: readonly string[] } },
  chain: string,
): string => `${chain} is not enabled on this deployment (enabled: ${chains.enabled.join(', ') || 'none'})`
