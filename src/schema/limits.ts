/**
 * The limits of a buyer's input, separate from the schemas, so that a form checks the same rules without
 * loading a schema library.
 */

/** The pattern of an e-mail address. */
export const emailPattern =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/

/** The longest e-mail address (RFC 5321). @units characters */
export const maxEmailLength = 254

/** The pattern of an account: `0x` and 40 hex digits on an EVM chain, base58 on Solana. */
export const walletAddressPattern = /^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/

/** The longest line of an address. @units characters */
export const maxLineLength = 200
