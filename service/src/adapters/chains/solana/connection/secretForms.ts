import { getAddressEncoder, getBase58Decoder } from '@solana/kit'
import { accountAddress } from './accountAddress.js'

/**
 * Returns the forms in which an ed25519 key may be written: hex, the bytes that a file of `solana-keygen`
 * lists, and the base58 that wallets export, which may include the public key.
 */
export const secretForms = (key: Uint8Array): string[] => {
  const pair = Uint8Array.from([...key, ...getAddressEncoder().encode(accountAddress(key))])
  const base58 = getBase58Decoder()
  return [
    Buffer.from(key).toString('hex'),
    ...[',', ', '].map((separator) => key.join(separator)),
    ...[pair, key].map((bytes) => base58.decode(bytes)),
  ]
}
