import { type Address, isAddress } from '@solana/kit'

/** Returns an address in its one spelling, or `undefined` if the text is not base58 of 32 bytes. */
export const parseAddress = (text: string): Address | undefined => (isAddress(text) ? text : undefined)
