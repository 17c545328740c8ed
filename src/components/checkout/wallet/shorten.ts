/** Shortens an address, leaving enough to tell it from another. */
export const shorten = (address: string): string =>
  address.length > 13 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address
