import { eq } from 'drizzle-orm'
import {
  assertApprovalAwaited,
  assertApprovalNeeded,
  describeClient,
  explainDisabled,
  operationOf,
  readApprovals,
  readSignerApproval,
} from 'kassa/engine'
import type { Transaction } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { walletTransactions } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import { requireServerScope } from '#identity/authorize.js'
import { findWallet, type WalletRow } from '#identity/wallets/findWallet.js'
import { toSmartWalletRef } from '#identity/wallets/smartWalletRef.js'
import { requireOperations } from './actingWallet.js'
import { approveMessage } from './messages/approveMessage.js'
import { lockTransaction, requireTransaction, type TransactionRow } from './transaction.js'
import { viewTransaction } from './viewTransaction.js'

const invalid = (message: string) => new ServiceError('input-invalid', message)

/** Whether the service signs a transaction itself. */
const isSignedHere = ({ operationHash }: TransactionRow, { encryptedKey }: WalletRow): boolean =>
  operationHash === null || encryptedKey !== null

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
  const approval = checkInput(() => {
    const body = readApprovals(input.body)
    // If no approval is needed, the signer does not matter.
    assertApprovalNeeded(known.status, isSignedHere(known, wallet))
    return readSignerApproval(body, known.signer)
  })
  const { operation, hash } = operationOf(known)
  checkInput(() => assertApprovalAwaited({ status: known.status, operation }, deps.now()))
  const chain = deps.chains.get(known.chain)
  if (!chain) throw invalid(`transactionId: ${explainDisabled(known.chain, deps.chains.enabled)}`)
  const read = await requireOperations(chain).readApproval(toSmartWalletRef(wallet).signer, hash, approval)
  if ('fault' in read) throw invalid(`approvals[0].signature: ${read.fault}`)

  return deps.db.transaction(async (tx) => {
    const locked = await lockTransaction(tx, known)
    checkInput(() => {
      assertApprovalNeeded(locked.status, isSignedHere(locked, wallet))
      assertApprovalAwaited({ status: locked.status, operation }, deps.now())
    })
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
