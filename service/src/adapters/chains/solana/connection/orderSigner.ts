import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519'
import { address, signatureBytes, type TransactionPartialSigner } from '@solana/kit'
import { getOrderOwner, getOrderScalar } from 'kassa/engine'
import { accountAddress } from './accountAddress.js'

const sha512 = (...parts: readonly (Uint8Array | string)[]): Uint8Array => {
  const hash = createHash('sha512')
  for (const part of parts) hash.update(part)
  return Uint8Array.from(hash.digest())
}

const { ExtendedPoint, CURVE } = ed25519
const order = CURVE.n
const scalarBytes = 32

const readScalar = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) % order

const writeScalar = (scalar: bigint): Uint8Array =>
  Uint8Array.from(Buffer.from(scalar.toString(16).padStart(2 * scalarBytes, '0'), 'hex').reverse())

/**
 * Creates the signers of orders' own keys. An order's private key is the operator's plus a number that everybody can
 * compute, so that an app derives the order's address from the operator's alone. Whoever has one of them has the
 * operator's: none leaves the process. Signatures are those of RFC 8032, with a secret nonce of each key's own.
 *
 * @param operatorKey - The 32 bytes of the operator's private key.
 */
export const createOrderSigner = (operatorKey: Uint8Array) => {
  const { scalar: operatorScalar, prefix } = ed25519.utils.getExtendedPublicKey(operatorKey)
  const operator = accountAddress(operatorKey)

  return (orderId: string): TransactionPartialSigner => {
    const owner = address(getOrderOwner(operator, orderId))
    const scalar = (operatorScalar + getOrderScalar(operator, orderId)) % order
    const publicKey = ExtendedPoint.BASE.multiply(scalar).toRawBytes()
    const secret = sha512('kassa order nonce', prefix, publicKey)
    const sign = (message: Uint8Array) => {
      const nonce = readScalar(sha512(secret, message))
      const point = ExtendedPoint.BASE.multiply(nonce).toRawBytes()
      const challenge = readScalar(sha512(point, publicKey, message))
      return signatureBytes(Uint8Array.from([...point, ...writeScalar((nonce + challenge * scalar) % order)]))
    }
    return {
      address: owner,
      signTransactions: async (transactions) =>
        transactions.map(({ messageBytes }) => ({ [owner]: sign(Uint8Array.from(messageBytes)) })),
    }
  }
}
