import type { Hex } from 'viem'
import { readAddress } from '../../../engine/evm/parseAddress.js'
import { type ReadApproval, readApproval } from '../../../engine/evm/readApproval.js'
import { invalid } from '../../../engine/invalidInput.js'
import { readApprovals } from '../../../engine/wallet/readApprovals.js'
import type { StoredSigner } from '../../../engine/wallet/signer.js'
import {
  assertApprovalAwaited,
  assertApprovalNeeded,
  describeClient,
  readSignerApproval,
} from '../../../engine/wallet/signerApproval.js'
import type { Approval } from '../../../schema/transactionInput.js'
import { standInAccount } from '../../standInAccount.js'
import type { Answer } from '../http.js'
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

/** Returns the operation to approve. */
const requireNeeded = ({ status, operation, wallet }: CallTransaction) => {
  assertApprovalNeeded(status, operation === undefined || wallet.custodian !== undefined)
  if (!operation) throw new Error('a smart wallet’s transaction without an operation')
  return operation
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
  const metadata = describeClient({ ipAddress: 'unknown', userAgent: userAgent || undefined })
  if ('message' in transaction) {
    await approveMessage(world, transaction, { body, metadata })
    return { status: 201, body: viewWalletTransaction(transaction) }
  }
  const approvals = readApprovals(body)
  const { adminSigner } = transaction.wallet
  const { operation, hash } = requireNeeded(transaction)
  const approval = readSignerApproval(approvals, adminSigner.locator)
  assertApprovalAwaited({ status: transaction.status, operation }, world.now())
  const read = await readTestApproval(adminSigner, hash, approval)
  if ('fault' in read) throw invalid('approvals[0].signature', read.fault)
  // Another may have come meanwhile.
  requireNeeded(transaction)
  assertApprovalAwaited({ status: transaction.status, operation }, world.now())
  const { signature } = read
  const submittedAt = new Date(world.now()).toISOString()
  transaction.operation = { hash, operation: { ...operation, signature } }
  transaction.submitted = {
    signer: adminSigner.locator,
    message: hash,
    signature,
    submittedAt,
    ...(metadata && { metadata }),
  }
  sendTransaction(world, transaction)
  return { status: 201, body: viewWalletTransaction(transaction) }
}
