/**
 * What the schemas demand of what a buyer writes, apart from them: a form checks it by the same rules without
 * carrying a schema library to the page.
 */

/** What an e-mail address looks like. */
export const emailPattern =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/

/** What an account looks like: `0x` and 40 hex digits on an EVM chain, base58 on Solana. */
export const walletAddressPattern = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/

/** How long one line of an address may be. @units characters */
export const maxLineLength = 200
