import * as z from 'zod/mini'
import {
  type Approval,
  ApproveTransactionBody,
  KeypairApproval,
  PasskeyApproval,
  SolanaApproval,
} from '../../schema/transactionInput.js'
import { discriminate, parseInput } from '../parseInput.js'

const Signed = z.object({ signature: z.looseObject({}) })

const shapeOf = (approval: unknown): z.ZodMiniType<Approval> =>
  z.safeParse(Signed, approval).success ? PasskeyApproval : KeypairApproval

const Approvals = z.extend(ApproveTransactionBody, {
  approvals: z.pipe(
    z
      .array(z.unknown())
      .check(
        z.minLength(1, 'expected at least 1 approval'),
        z.maxLength(10, 'expected at most 10 approvals'),
      ),
    z.array(discriminate(shapeOf)),
  ),
})

/**
 * Reads approvals: an account’s signature is a string, a passkey’s has two numbers.
 *
 * @throws {@link InvalidInput} naming the field.
 * @source answers.md "Wallets and transactions"
 */
export const readApprovals = (body: unknown): ApproveTransactionBody => parseInput(Approvals, body, 'body')

const MessageApprovals = z.object({
  approvals: z
    .array(SolanaApproval)
    .check(z.minLength(1, 'expected at least 1 approval'), z.maxLength(10, 'expected at most 10 approvals')),
})

/**
 * Reads approvals of a transaction on Solana.
 *
 * @throws {@link InvalidInput} naming the field.
 */
export const readMessageApprovals = (body: unknown): { approvals: SolanaApproval[] } =>
  parseInput(MessageApprovals, body, 'body')
