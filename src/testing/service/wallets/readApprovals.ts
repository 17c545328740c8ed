import * as z from 'zod/mini'
import { ApproveTransactionBody, KeypairApproval, PasskeyApproval } from '../../../schema/transactionInput.js'
import { readInput } from '../refusal.js'

/** A body before the signatures in it say whose they are. */
const AnyApprovals = z.object({
  approvals: z
    .array(z.unknown())
    .check(z.minLength(1, 'expected at least 1 approval'), z.maxLength(10, 'expected at most 10 approvals')),
})
const Signed = z.object({ signature: z.looseObject({}) })

/** The shape that an approval is meant to have: so that its faults are named by its own fields. */
const shapeOf = (approval: unknown): z.ZodMiniType =>
  z.safeParse(Signed, approval).success ? PasskeyApproval : KeypairApproval

/**
 * Reads what signers have signed: an account’s signature is a text, a passkey’s has two numbers.
 *
 * @throws {@link Refusal} naming the field.
 * @source answers.md "Wallets and transactions"
 */
export const readApprovals = (body: unknown): ApproveTransactionBody => {
  const [first = KeypairApproval, ...rest] = readInput(AnyApprovals, body, 'body').approvals.map(shapeOf)
  readInput(z.object({ approvals: z.tuple([first, ...rest]) }), body, 'body')
  return readInput(ApproveTransactionBody, body, 'body')
}
