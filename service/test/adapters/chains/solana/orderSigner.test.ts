import { ed25519 } from '@noble/curves/ed25519'
import { getAddressEncoder, signatureBytes, type Transaction, verifySignature } from '@solana/kit'
import * as fc from 'fast-check'
import { getOrderOwner } from 'kassa/engine'
import { expect, test } from 'vitest'
import { accountAddress } from '#adapters/chains/solana/connection/accountAddress.js'
import { createOrderSigner } from '#adapters/chains/solana/connection/orderSigner.js'

const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
const encoder = getAddressEncoder()

/** Signs bytes as if they were the message of a transaction. */
const signWith = async (operatorKey: Uint8Array, orderId: string, message: Uint8Array) => {
  const signer = createOrderSigner(operatorKey)(orderId)
  const [signed] = await signer.signTransactions([
    { messageBytes: message } as unknown as Transaction as never,
  ])
  const signature = signed?.[signer.address]
  if (!signature) throw new Error('not signed')
  return { address: signer.address, signature }
}

const isSigned = async (
  address: Parameters<typeof encoder.encode>[0],
  signature: Uint8Array,
  message: Uint8Array,
) => {
  const bytes = Uint8Array.from(encoder.encode(address))
  const publicKey = await crypto.subtle.importKey('raw', bytes, 'Ed25519', true, ['verify'])
  return verifySignature(publicKey, signatureBytes(signature), message)
}

test('default: signs for the address that everybody computes, as every verifier checks', async () => {
  await fc.assert(
    fc.asyncProperty(
      key,
      fc.uuid(),
      fc.uint8Array({ maxLength: 1_232 }),
      async (operatorKey, orderId, message) => {
        const { address, signature } = await signWith(operatorKey, orderId, message)
        expect(address).toBe(getOrderOwner(accountAddress(operatorKey), orderId))
        expect(await isSigned(address, signature, message)).toBe(true)
        // The strict rules of RFC 8032, which validators of Solana apply.
        const publicKey = Uint8Array.from(encoder.encode(address))
        expect(ed25519.verify(signature, message, publicKey, { zip215: false })).toBe(true)
      },
    ),
    { numRuns: 100 },
  )
})

test('behavior: a signature is for one message and one order, and no two of them share their nonce', async () => {
  const operatorKey = new Uint8Array(32).fill(7)
  const messages = [Uint8Array.of(1), Uint8Array.of(2)]
  const signed = await Promise.all(
    ['an-order', 'another'].flatMap((orderId) =>
      messages.map((message) => signWith(operatorKey, orderId, message)),
    ),
  )
  const [first, second, third] = signed
  if (!first || !second || !third) throw new Error('not signed')
  expect(await isSigned(first.address, second.signature, Uint8Array.of(1))).toBe(false)
  expect(await isSigned(third.address, first.signature, Uint8Array.of(1))).toBe(false)
  const nonces = signed.map(({ signature }) => Buffer.from(signature.slice(0, 32)).toString('hex'))
  expect(new Set(nonces).size).toBe(4)
  // The same again gives the same, so that no source of random numbers can be at fault.
  expect((await signWith(operatorKey, 'an-order', Uint8Array.of(1))).signature).toEqual(first.signature)
})
