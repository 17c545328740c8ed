import { isSignature, type Signature } from '@solana/kit'

/** Returns the signature in a text, or `undefined` if it is not base58 of 64 bytes, such as the hash of an EVM chain. */
export const parseSignature = (text: string): Signature | undefined => {
  try {
    return isSignature(text) ? text : undefined
  } catch {
    // Texts of the right length in another alphabet throw.
    return undefined
  }
}
