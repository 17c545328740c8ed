import type { SubmittedApproval, UserOperation } from '../../schema/transaction.js'
import type { Approval, ApproveTransactionBody } from '../../schema/transactionInput.js'
import type { TransactionStatus } from '../../schema/walletMembers.js'
import { InvalidInput } from '../invalidInput.js'
import { Refusal } from '../refusal.js'
import { getDeadlineMs } from './operationNonce.js'
import { isSameSigner } from './signer.js'

/**
 * Reads the one approval that a wallet with one signer accepts.
 *
 * @throws {@link InvalidInput} naming the approval.
 */
export const readSignerApproval = ({ approvals }: ApproveTransactionBody, signer: string): Approval => {
  for (const [at, approval] of approvals.entries()) {
    if (isSameSigner(approval.signer, signer)) continue
    throw new InvalidInput(`approvals[${at}].signer: not a signer of this transaction (${signer} is)`)
  }
  const [approval, second] = approvals
  if (second) throw new InvalidInput(`approvals[1].signer: ${signer} can approve only once`)
  if (!approval) throw new InvalidInput('approvals: expected at least 1 approval')
  return approval
}

/**
 * Refuses an approval that a transaction does not need.
 *
 * @param isSignedHere - Whether the service signs for the wallet.
 * @throws {@link Refusal} `unprocessable`.
 */
export const assertApprovalNeeded = (status: TransactionStatus, isSignedHere: boolean): void => {
  if (isSignedHere) {
    throw new Refusal('unprocessable', 'The service signs for this wallet: no approval is needed')
  }
  if (status === 'awaiting-approval' || status === 'pending') return
  throw new Refusal('unprocessable', `The transaction has ended (${status}): no approval is needed`)
}

/** A transaction whose signer approves it. */
type ApprovedTransaction = { status: TransactionStatus; operation: Pick<UserOperation, 'nonce'> }

/**
 * Refuses an approval that was given before, or that comes too late.
 *
 * @throws {@link Refusal} `conflict`, `unprocessable`.
 */
export const assertApprovalAwaited = ({ status, operation }: ApprovedTransaction, nowMs: number): void => {
  if (status !== 'awaiting-approval') throw givenBefore(0)
  const deadlineMs = getDeadlineMs(operation)
  if (deadlineMs === undefined || nowMs < deadlineMs) return
  const until = new Date(deadlineMs).toISOString()
  throw new Refusal('unprocessable', `The approval comes too late (${until}): create another transaction`)
}

/** Returns the refusal of an approval that its signer has submitted before. */
export const givenBefore = (at: number) =>
  new Refusal('conflict', `approvals[${at}].signer: has already submitted its approval`)

/** What a request shows about its origin. */
type Client = { ipAddress?: string | undefined; userAgent?: string | undefined }

/** Describes the device that sends an approval, as the approval's metadata. */
export const describeClient = ({ ipAddress, userAgent }: Client): SubmittedApproval['metadata'] => {
  const [, deviceInfo] = /\(([^)]{1,200})\)/.exec(userAgent ?? '') ?? []
  return {
    ...(deviceInfo !== undefined && { deviceInfo }),
    ...(ipAddress !== undefined && { ipAddress }),
    ...(userAgent !== undefined && { userAgent }),
  }
}
