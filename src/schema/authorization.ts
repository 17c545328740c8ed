import * as z from 'zod/mini'
import { evmAddress } from './hex.js'
import { maybe } from './maybe.js'
import type { AuthorizationKind, AuthorizationStatus } from './members.js'
import { authorizationKinds } from './members.js'
import { known, openObject } from './open.js'
import { smallJson } from './smallJson.js'

const object = z.record(z.string(), z.unknown())

/** The domain or the message of typed data, as a client sends it. */
const signedObject = z.record(z.string().check(z.maxLength(64, 'too long')), z.unknown()).check(smallJson)

/** Typed data of EIP-712, as wallets sign it. `types` has `EIP712Domain`, too. */
export const TypedData = openObject({
  domain: object,
  types: z.record(z.string(), z.readonly(z.array(openObject({ name: z.string(), type: z.string() })))),
  primaryType: z.string(),
  message: object,
})
export type TypedData = z.infer<typeof TypedData>

/**
 * A payment that the buyer signs and the shop sends, so that the buyer pays no network fee: `payment.preparation.authorization` of an order.
 * For a `permit`, the buyer signs both.
 *
 * @units whole numbers are decimal strings, amounts in base units of the token, times in epoch seconds
 * @source answers.md "Revised a third time"
 */
export const PreparedAuthorization = openObject({
  /**
   * `erc3009` is a transfer that the token itself takes; `permit2` is one that Permit2 makes, once the payer has let it
   * move the token; `permit` is both, as the payer signs that too.
   */
  kind: known<AuthorizationKind>(),
  typedData: TypedData,
  /** The permit of ERC-2612 that lets Permit2 move the token. */
  permit: maybe(TypedData),
})
export type PreparedAuthorization = z.infer<typeof PreparedAuthorization>

// A wallet of several signers, or one that is not deployed yet, has a long signature.
const signature = z
  .string()
  .check(
    z.regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'expected 0x and whole bytes in hex'),
    z.maxLength(2 + 2 * 8 * 1024, 'expected at most 8 KiB'),
  )

const signed = {
  domain: signedObject,
  message: signedObject,
  signature,
}

/** A payment of an order that its payer signed: the domain and message of the typed data, and the signature. */
export const CreateAuthorizationBody = z.strictObject({
  kind: z.enum(authorizationKinds, `expected ${authorizationKinds.join(', ')}`),
  payerAddress: evmAddress,
  ...signed,
  permit: z.optional(z.strictObject(signed)),
})
export type CreateAuthorizationBody = z.infer<typeof CreateAuthorizationBody>

/** What became of a payment that its payer signed. */
export const Authorization = openObject({
  authorizationId: z.string(),
  orderId: z.string(),
  kind: known<AuthorizationKind>(),
  payerAddress: z.string(),
  /**
   * `pending` is on its way, with `txId` once it was sent. `settled` has moved the money. The others moved none, and another
   * can be signed: `refused` before it was sent, `failed` in a block, `expired` because its time is over.
   */
  status: known<AuthorizationStatus>(),
  txId: maybe(z.string()),
  /** Why it moved no money, in the words of x402. */
  reason: maybe(z.string()),
  createdAt: maybe(z.string()),
})
export type Authorization = z.infer<typeof Authorization>
