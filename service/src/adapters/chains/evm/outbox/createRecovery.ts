import { and, eq, gt, lt, ne, or } from 'drizzle-orm'
import { type Address, getAddress, type PublicClient } from 'viem'
import type { Database } from '#base/db/database.js'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import type { BlockRef } from '#base/ports/chain.js'
import { recordMissedSpends } from '../accounts/recordMissedSpends.js'
import { keepRevert } from '../accounts/storedErrors.js'
import type { Connection } from '../connection/connect.js'
import { getBlock } from '../connection/readBlock.js'
import { decodeRevert, readRevertData } from '../connection/readRevert.js'
import { isNodeFailure } from '../connection/rpc.js'
import type { EvmChainOptions } from '../evmChainOptions.js'
import { createBroadcast, type SenderOptions, waitedForMs } from './broadcast.js'
import { settleReopened } from './settleReopened.js'

const explain = (error: unknown): string | undefined => {
  const revert = readRevertData(error)
  return revert && keepRevert(decodeRevert(revert.data), revert.data)
}

/**
 * Resends what the chain has lost of an account whose key the service keeps. The signed bytes suffice for
 * that. A transaction that had ended ends again once the chain has it.
 */
const recoverSender = async (
  options: Omit<SenderOptions, 'renew'> & { confirmations: number; client: PublicClient },
): Promise<void> => {
  await createBroadcast(options).sendLost()
  await settleReopened({ ...options, explain })
  await recordMissedSpends({ ...options, address: options.sender })
}

/**
 * Finds the senders of transactions that a chain may lack: those that are late, and those that ended after a
 * given time.
 */
const findSenders = async (
  db: Database,
  { chain, operator, endedAfterMs }: { chain: string; operator: Address; endedAfterMs: number },
): Promise<Address[]> => {
  const { sender, status, createdAt, endedAt } = chainTransactions
  const isLate = and(eq(status, 'signed'), lt(createdAt, new Date(Date.now() - waitedForMs)))
  const isRecent = gt(endedAt, new Date(endedAfterMs))
  const rows = await db
    .selectDistinct({ sender })
    .from(chainTransactions)
    .where(and(eq(chainTransactions.chain, chain), ne(sender, operator), or(isLate, isRecent)))
  return rows.map((row) => getAddress(row.sender))
}

/** How long after a transaction ends a chain may still revert it. */
const reversibleMs = 24 * 60 * 60_000
/**
 * How far before the last check transactions are checked again. Another node may not have had their block
 * then.
 */
const marginMs = 10 * 60_000
/** How many accounts are checked at once, and how many failures of the node in a row end the check. */
const maxAtOnce = 8

/**
 * Creates the function that resends whatever a chain has lost, both from the operator and from accounts whose
 * keys the service keeps. Of those accounts, it checks the ones with late transactions and the ones whose
 * transactions ended recently. Only if the chain has lost a final block does it check those of a whole day,
 * or all of them on a development chain.
 */
export const createRecovery = (
  { db, log, chain, confirmations, isLocal }: EvmChainOptions,
  operator: Address,
): ((opened: Connection) => Promise<void>) => {
  /** The accounts to check. An account whose check failed stays for the next time. */
  const due = new Set<Address>()
  let last: { final: BlockRef; atMs: number } | undefined

  const findFinal = async (client: PublicClient): Promise<BlockRef | undefined> => {
    const number = (await client.getBlockNumber({ cacheTime: 0 })) - BigInt(confirmations) + 1n
    return getBlock(client, number > 0n ? number : 0n)
  }

  /**
   * Finds the accounts to check.
   *
   * @param batching - A client that sends the calls of a moment in one request.
   */
  const findDue = async (batching: PublicClient): Promise<void> => {
    const atMs = Date.now()
    // Read before the checks, so that the next run notices what is lost from now on.
    const [lastNow, final] = await Promise.all([
      last && getBlock(batching, last.final.number),
      findFinal(batching),
    ])
    const isKept = last !== undefined && lastNow?.hash === last.final.hash
    const everyMs = isLocal ? 0 : atMs - reversibleMs
    const endedAfterMs = last && isKept ? last.atMs - marginMs : everyMs
    for (const sender of await findSenders(db, { chain, operator, endedAfterMs })) due.add(sender)
    last = final && { final, atMs }
  }

  const recoverDue = async (client: PublicClient): Promise<void> => {
    const failures: { sender: Address; err: unknown }[] = []
    let failedInRow = 0
    const waiting = [...due].values()
    const work = async (): Promise<void> => {
      for (const sender of waiting) {
        due.delete(sender)
        try {
          await recoverSender({ db, log, client, chain, sender, confirmations })
          failedInRow = 0
        } catch (err) {
          due.add(sender)
          failures.push({ sender, err })
          if (isNodeFailure(err)) failedInRow++
        }
        if (failedInRow >= maxAtOnce) return
      }
    }
    await Promise.all(Array.from({ length: maxAtOnce }, work))
    const [first] = failures
    if (!first) return
    if (failedInRow >= maxAtOnce) throw first.err
    log.warn({ chain, ...first, count: failures.length }, 'accounts could not be looked at; trying again')
  }

  return async ({ client, batching, outbox }) => {
    // The operator comes first: other accounts depend on it for gas.
    const [own] = await Promise.allSettled([outbox.recoverLost()])
    await findDue(batching)
    await recoverDue(client)
    if (own.status === 'rejected') throw own.reason
  }
}
