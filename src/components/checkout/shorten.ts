/** An address short enough to read, and long enough to tell from another. */
export const shorten = (address: string): string =>
  address.length > 13 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address
