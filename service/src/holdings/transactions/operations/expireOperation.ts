import { eq } from 'drizzle-orm'
import { getDeadlineMs, marginMs, notApproved, operationOf } from 'kassa/engine'
import type { TransactionError } from 'kassa/schema'
import { wallets, walletTransactions } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { JobHandler } from '#base/ports/jobs.js'
import { requireMessages, requireOperations } from '../actingWallet.js'
import { expireMessage } from '../messages/sendMessages.js'
import { recordResults } from '../recordResults.js'
import type { TransactionRow } from '../transaction.js'

const later = (message: string): ServiceError =>
  new ServiceError('chain-unavailable', message, { retryAfterSeconds: 60 })

/** Whether a final block was made after a time. What was valid until then can no longer land. */
const isPast = async (chain: ChainPort, timeMs: number): Promise<boolean> => {
  const head = await chain.getHead()
  const last = head.number - BigInt(chain.confirmations) + 1n
  const block = last < 0n ? undefined : await chain.getBlock(last)
  return block !== undefined && block.timestampMs > timeMs
}

const explain = ({ status, error }: TransactionRow): TransactionError => {
  if (error) return error
  if (status === 'awaiting-approval') return notApproved
  const message = 'The transaction did not reach its chain while its approval was valid'
  return { reason: 'failed_to_land_on_chain', message }
}

/**
 * Ends a transaction of a wallet that the service does not sign for, once its deadline has passed on chain.
 * Until then any sender may include its operation, even one that was refused or never approved here.
 */
export const expireOperation =
  (deps: Deps): JobHandler<'transactions.expire'> =>
  async ({ transactionId }) => {
    const [found] = await deps.db
      .select()
      .from(walletTransactions)
      .innerJoin(wallets, eq(wallets.id, walletTransactions.walletId))
      .where(eq(walletTransactions.id, transactionId))
    if (!found) throw new Error('a transaction is gone')
    const { wallet_transactions: row, wallets: wallet } = found
    if (row.completedAt) return

    const chain = deps.chains.get(row.chain)
    if (!chain) throw later(`${row.chain} is no longer enabled, and something may be on its way there`)
    if (row.message) {
      if (await expireMessage(deps, { wallet, port: requireMessages(chain) }, row)) return
      throw later(`The blockhash of ${row.id} is not gone yet`)
    }
    const deadlineMs = getDeadlineMs(operationOf(row).operation)
    if (deadlineMs === undefined || !(await isPast(chain, deadlineMs + marginMs))) {
      throw later(`The operation of ${row.id} may still land`)
    }
    const errors = row.calls.flatMap((call) => call.errors ?? [])
    const landed = await requireOperations(chain).find(operationOf(row).operation, errors)
    const result = landed ?? { status: 'failed' as const, error: explain(row) }
    await deps.db.transaction((tx) => recordResults(deps, tx, wallet, [{ id: row.id, result }]))
  }
