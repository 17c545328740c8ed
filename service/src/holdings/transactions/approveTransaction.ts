import { eq } from 'drizzle-orm'
import { explainDisabled, isSameSigner, readApprovals } from 'kassa/engine'
import type { Approval, ApproveTransactionBody, Transaction } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { walletTransactions } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import { requireServerScope } from '#identity/authorize.js'
import { findWallet, type WalletRow } from '#identity/wallets/findWallet.js'
import { toSmartWalletRef } from '#identity/wallets/smartWalletRef.js'
import { requireOperations } from './actingWallet.js'
import { describeClient } from './describeClient.js'
import { approveMessage } from './messages/approveMessage.js'
import { getDeadlineMs } from './operations/expireOperation.js'
import { lockTransaction, requireTransaction, type TransactionRow } from './transaction.js'
import { operationOf, viewTransaction } from './viewTransaction.js'

const invalid = (message: string) => new ServiceError('input-invalid', message)

/** Reads the one approval that a wallet with one signer accepts. */
const readSigner = ({ approvals }: ApproveTransactionBody, { signer }: TransactionRow): Approval => {
  for (const [at, approval] of approvals.entries()) {
    if (isSameSigner(approval.signer, signer)) continue
    throw invalid(`approvals[${at}].signer: not a signer of this transaction (${signer} is)`)
  }
  const [approval, second] = approvals
  if (second) throw invalid(`approvals[1].signer: ${signer} can approve only once`)
  if (!approval) throw invalid('approvals: expected at least 1 approval')
  return approval
}

/** If no approval is needed, the signer does not matter. */
const assertNeeded = ({ status, operationHash }: TransactionRow, { encryptedKey }: WalletRow): void => {
  if (operationHash === null || encryptedKey !== null) {
    throw new ServiceError('unprocessable', 'The service signs for this wallet: no approval is needed')
  }
  if (status === 'awaiting-approval' || status === 'pending') return
  throw new ServiceError('unprocessable', `The transaction has ended (${status}): no approval is needed`)
}

const assertAwaited = (deps: Deps, row: TransactionRow): void => {
  if (row.status !== 'awaiting-approval') {
    throw new ServiceError('conflict', 'approvals[0].signer: has already submitted its approval')
  }
  const deadlineMs = getDeadlineMs(row)
  if (deadlineMs === undefined || deps.now() < deadlineMs) return
  const until = new Date(deadlineMs).toISOString()
  throw new ServiceError(
    'unprocessable',
    `The approval comes too late (${until}): create another transaction`,
  )
}

/**
 * Records a signer's approval of a transaction, and enqueues the send.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`; `input-invalid` for another's signer or signature;
 * `conflict` if it was approved already; `unprocessable` if no approval is needed any more, or it comes too
 * late.
 * @source answers.md "Wallets and transactions"
 */
export const approveTransaction = async (
  deps: Deps,
  call: Call,
  input: { walletLocator: string; transactionId: string; body: unknown },
): Promise<Transaction> => {
  requireServerScope(call.actor, 'wallets:transactions.sign')

  const wallet = await findWallet(deps.db, call.actor.projectId, input.walletLocator)
  const known = await requireTransaction(deps.db, wallet, input.transactionId)
  if (known.message) {
    const { message } = known
    return approveMessage(deps, call, { known: { ...known, message }, body: input.body })
  }
  const body = checkInput(() => readApprovals(input.body))
  assertNeeded(known, wallet)
  const approval = readSigner(body, known)
  assertAwaited(deps, known)
  const chain = deps.chains.get(known.chain)
  if (!chain) throw invalid(`transactionId: ${explainDisabled(known.chain, deps.chains.enabled)}`)
  const { operation, hash } = operationOf(known)
  const read = await requireOperations(chain).readApproval(toSmartWalletRef(wallet).signer, hash, approval)
  if ('fault' in read) throw invalid(`approvals[0].signature: ${read.fault}`)

  return deps.db.transaction(async (tx) => {
    const locked = await lockTransaction(tx, known)
    assertNeeded(locked, wallet)
    assertAwaited(deps, locked)
    const { signature } = read
    const metadata = describeClient(call.client)
    const submittedAt = new Date(deps.now()).toISOString()
    const submitted = {
      signer: known.signer,
      message: hash,
      signature,
      submittedAt,
      ...(metadata && { metadata }),
    }
    const [row] = await tx
      .update(walletTransactions)
      .set({ status: 'pending', operation: { ...operation, signature }, submitted })
      .where(eq(walletTransactions.id, known.id))
      .returning()
    if (!row) throw new Error('a transaction is gone')
    await deps.jobs.enqueue(tx, 'transactions.send', { walletId: wallet.id, chain: known.chain })
    const answer = viewTransaction(deps, row)
    await call.complete(tx, { status: 201, body: answer })
    return answer
  })
}
