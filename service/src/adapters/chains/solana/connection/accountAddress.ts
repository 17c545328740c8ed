import { createPrivateKey, createPublicKey } from 'node:crypto'
import { type Address, getAddressDecoder } from '@solana/kit'

/** What stands before the 32 bytes of an ed25519 key in its PKCS #8 form. */
const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicKeyLength = 32

/** Returns the address of an ed25519 key: its public key. */
export const accountAddress = (privateKey: Uint8Array): Address => {
  const key = createPrivateKey({ key: Buffer.concat([prefix, privateKey]), format: 'der', type: 'pkcs8' })
  const encoded = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return getAddressDecoder().decode(Uint8Array.from(encoded.subarray(-publicKeyLength)))
}
