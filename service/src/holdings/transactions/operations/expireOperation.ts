import { eq } from 'drizzle-orm'
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
import { operationOf } from '../viewTransaction.js'

/** How far past a deadline the chain must be, so that a lagging node has caught up. */
export const marginMs = 60_000

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
  const message =
    status === 'awaiting-approval'
      ? 'The transaction was not approved in time'
      : 'The transaction did not reach its chain while its approval was valid'
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
    const deadlineMs = getDeadlineMs(row)
    if (deadlineMs === undefined || !(await isPast(chain, deadlineMs + marginMs))) {
      throw later(`The operation of ${row.id} may still land`)
    }
    const errors = row.calls.flatMap((call) => call.errors ?? [])
    const landed = await requireOperations(chain).find(operationOf(row).operation, errors)
    const result = landed ?? { status: 'failed' as const, error: explain(row) }
    await deps.db.transaction((tx) => recordResults(deps, tx, wallet, [{ id: row.id, result }]))
  }

/**
 * How long a transaction waits for approval, and how long an operation is valid that its owner has signed.
 */
export const approvalSeconds = 3_600n

/**
 * Returns the channel of an operation that the owner signs. It has its own channel, so that a missing approval
 * blocks no other operation. The upper 48 bits hold the deadline (epoch seconds), which the wallet's contract
 * enforces. The custodian's channel is 0.
 */
export const getOwnNonceKey = (sequence: bigint, deadline: bigint): bigint =>
  (deadline << 144n) | (sequence + 1n)

/**
 * Returns until when the chain accepts a transaction's operation, in epoch milliseconds, or `undefined` if it
 * has no deadline.
 */
export const getDeadlineMs = (row: TransactionRow): number | undefined => {
  const deadline = BigInt(operationOf(row).operation.nonce) >> 208n
  return deadline ? Number(deadline) * 1000 : undefined
}
