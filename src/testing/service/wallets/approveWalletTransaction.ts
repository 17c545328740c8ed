import type { Hex } from 'viem'
import { readAddress } from '../../../engine/evm/parseAddress.js'
import { type ReadApproval, readApproval } from '../../../engine/evm/readApproval.js'
import { readApprovals } from '../../../engine/wallet/readApprovals.js'
import type { StoredSigner } from '../../../engine/wallet/signer.js'
import { isSameSigner } from '../../../engine/wallet/signer.js'
import type { SubmittedApproval } from '../../../schema/transaction.js'
import type { Approval, ApproveTransactionBody } from '../../../schema/transactionInput.js'
import { standInAccount } from '../../standInAccount.js'
import type { Answer } from '../http.js'
import { badInput, HttpError } from '../http.js'
import type { CallTransaction, TestWorld } from '../testWorld.js'
import { approveMessage } from './messages/approveMessage.js'
import { requireTransaction } from './readTransactions.js'
import { sendTransaction } from './sendTransaction.js'
import { requireTestWallet } from './wallets.js'
import { viewWalletTransaction } from './walletTransaction.js'

/** Checks a signer's signature. The stand-in of a test wallet's account signs for its address. */
const readTestApproval = async (
  { address, publicKey }: StoredSigner,
  message: Hex,
  approval: Approval,
): Promise<ReadApproval> => {
  if (publicKey) return readApproval({ kind: 'passkey', publicKey }, message, approval)
  const account = readAddress('signer', address ?? '')
  const read = await readApproval({ kind: 'account', address: account }, message, approval)
  if ('signature' in read) return read
  const standIn = { kind: 'account', address: standInAccount(account).address } as const
  const other = await readApproval(standIn, message, approval)
  return 'signature' in other ? other : read
}

/** The one approval that a wallet with one signer takes. */
const readSigner = ({ approvals }: ApproveTransactionBody, signer: string): Approval => {
  for (const [at, approval] of approvals.entries()) {
    if (isSameSigner(approval.signer, signer)) continue
    throw badInput(`approvals[${at}].signer: not a signer of this transaction (${signer} is)`)
  }
  const [approval, second] = approvals
  if (second) throw badInput(`approvals[1].signer: ${signer} can approve only once`)
  if (!approval) throw badInput('approvals: expected at least 1 approval')
  return approval
}

/** @returns What is to be signed. */
const assertNeeded = ({ status, operation, wallet }: CallTransaction) => {
  if (!operation || wallet.custodian)
    throw new HttpError(422, 'The service signs for this wallet: no approval is needed')
  if (status === 'awaiting-approval' || status === 'pending') return operation
  throw new HttpError(422, `The transaction has ended (${status}): no approval is needed`)
}

const assertAwaited = ({ now }: TestWorld, { status, deadlineMs }: CallTransaction): void => {
  if (status !== 'awaiting-approval')
    throw new HttpError(409, 'approvals[0].signer: has already submitted its approval')
  if (deadlineMs === undefined || now() < deadlineMs) return
  const until = new Date(deadlineMs).toISOString()
  throw new HttpError(422, `The approval comes too late (${until}): create another transaction`)
}

const describeCaller = (userAgent: string | undefined): SubmittedApproval['metadata'] => {
  const [, deviceInfo] = /\(([^)]{1,200})\)/.exec(userAgent ?? '') ?? []
  return {
    ...(deviceInfo !== undefined && { deviceInfo }),
    ipAddress: 'unknown',
    ...(userAgent && { userAgent }),
  }
}

/** What is approved, and by whom it is asked for. */
export type ApprovalCall = {
  walletLocator: string
  transactionId: string
  body: unknown
  userAgent: string | undefined
}

/** Takes a signer's approval of a transaction, and sends it. */
export const approveWalletTransaction = async (
  world: TestWorld,
  { walletLocator, transactionId, body, userAgent }: ApprovalCall,
): Promise<Answer> => {
  const wallet = requireTestWallet(world, walletLocator)
  const transaction = requireTransaction(world, wallet, transactionId)
  const metadata = describeCaller(userAgent)
  if ('message' in transaction) {
    await approveMessage(world, transaction, { body, metadata })
    return { status: 201, body: viewWalletTransaction(transaction) }
  }
  const approvals = readApprovals(body)
  const { operation, hash } = assertNeeded(transaction)
  const { locator: signer } = transaction.wallet.adminSigner
  const approval = readSigner(approvals, signer)
  assertAwaited(world, transaction)
  const read = await readTestApproval(transaction.wallet.adminSigner, hash, approval)
  if ('fault' in read) throw badInput(`approvals[0].signature: ${read.fault}`)
  // Another may have come meanwhile.
  assertNeeded(transaction)
  assertAwaited(world, transaction)
  const { signature } = read
  const submittedAt = new Date(world.now()).toISOString()
  transaction.operation = { hash, operation: { ...operation, signature } }
  transaction.submitted = { signer, message: hash, signature, submittedAt, metadata }
  sendTransaction(world, transaction)
  return { status: 201, body: viewWalletTransaction(transaction) }
}
