import { eq } from 'drizzle-orm'
import {
  addSignatures,
  assertSignaturesAwaited,
  describeClient,
  explainDisabled,
  readSignatures,
} from 'kassa/engine'
import type { Transaction } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { walletTransactions } from '#base/db/tables/index.js'
import type { StoredMessage } from '#base/db/tables/walletTransactions.js'
import type { Deps } from '#base/deps.js'
import { checkInput, rethrowRefusal, ServiceError } from '#base/errors.js'
import { requireMessages } from '../actingWallet.js'
import { lockTransaction, type TransactionRow } from '../transaction.js'
import { viewTransaction } from '../viewTransaction.js'

/**
 * Records approvals of a transaction by others who sign it, and enqueues the send with the last one.
 *
 * @throws {@link ServiceError} `input-invalid` for another's signer or signature; `conflict` if a signer approved
 * already; `unprocessable` if no approval is needed any more.
 */
export const approveMessage = async (
  deps: Deps,
  call: Call,
  { known, body }: { known: TransactionRow & { message: StoredMessage }; body: unknown },
): Promise<Transaction> => {
  checkInput(() => assertSignaturesAwaited(known.status))
  const chain = deps.chains.get(known.chain)
  if (!chain)
    throw new ServiceError(
      'input-invalid',
      `transactionId: ${explainDisabled(known.chain, deps.chains.enabled)}`,
    )
  const port = requireMessages(chain)
  const given = await readSignatures(body, known.message, port.isSignature).catch(rethrowRefusal)
  const metadata = describeClient(call.client)
  const submittedAt = new Date(deps.now()).toISOString()
  return deps.db.transaction(async (tx) => {
    const locked = await lockTransaction(tx, known)
    const stored = locked.message ?? known.message
    const { submitted, isComplete } = checkInput(() => {
      assertSignaturesAwaited(locked.status)
      return addSignatures(stored, given, { submittedAt, ...(metadata && { metadata }) })
    })
    const [row] = await tx
      .update(walletTransactions)
      .set({ message: { ...stored, submitted }, ...(isComplete && { status: 'pending' }) })
      .where(eq(walletTransactions.id, known.id))
      .returning()
    if (!row) throw new Error('a transaction is gone')
    const { walletId, chain: name } = known
    if (isComplete) await deps.jobs.enqueue(tx, 'transactions.send', { walletId, chain: name })
    const answer = viewTransaction(deps, row)
    await call.complete(tx, { status: 201, body: answer })
    return answer
  })
}
