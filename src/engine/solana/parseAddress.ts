import { decodeBase58 } from './base58.js'

const addressBytes = 32
/** The longest base58 text of 32 bytes. */
const maxLength = 44

/** Returns an address on Solana, or `undefined` if the text is not base58 of 32 bytes. */
export const parseAddress = (text: string): string | undefined =>
  text.length <= maxLength && decodeBase58(text)?.length === addressBytes ? text : undefined
