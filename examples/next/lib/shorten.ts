/** Shortens an address or hash: `0x1234…abcd`. */
export const shorten = (value: string): string =>
  value.length > 14 ? `${value.slice(0, 6)}…${value.slice(-4)}` : value
