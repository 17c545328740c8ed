import type { Address, PublicClient } from 'viem'
import type { BlockRef } from '../port.js'
import type { Connection } from './connect.js'
import type { EvmChainOptions } from './evmChainOptions.js'
import { findSenders } from './findSenders.js'
import { getBlock } from './readBlock.js'
import { recoverSender } from './recoverSender.js'
import { isAway } from './rpc.js'

/** How long after its end a chain may still take a transaction back. */
const reversibleMs = 24 * 60 * 60_000
/** What ended so long before the last look is looked at again: another node may not have had its block then. */
const marginMs = 10 * 60_000
/** How many accounts are looked at at once; and how often in a row the node may fail before it is left alone. */
const mostAtOnce = 8

/**
 * Makes what sends again whatever a chain has lost: of the operator, and of accounts whose keys the service keeps.
 * Of the latter it looks at those that the chain keeps waiting and at those whose transactions ended a short while ago;
 * only where the chain has lost a block that was final are those of a whole day looked at, of a development chain all.
 */
export const createRecovery = (
  { db, log, chain, confirmations, isLocal }: EvmChainOptions,
  operator: Address,
): ((opened: Connection) => Promise<void>) => {
  /** Who is to be looked at; those that could not be stay for the next time. */
  const due = new Set<Address>()
  let last: { final: BlockRef; atMs: number } | undefined

  const findFinal = async (client: PublicClient): Promise<BlockRef | undefined> => {
    const number = (await client.getBlockNumber({ cacheTime: 0 })) - BigInt(confirmations) + 1n
    return getBlock(client, number > 0n ? number : 0n)
  }

  const findDue = async (client: PublicClient): Promise<void> => {
    const atMs = Date.now()
    const isKept = last && (await getBlock(client, last.final.number))?.hash === last.final.hash
    const everyMs = isLocal ? 0 : atMs - reversibleMs
    const endedAfterMs = last && isKept ? last.atMs - marginMs : everyMs
    // Before they are looked at: what is lost from now on is seen the next time.
    const final = await findFinal(client)
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
          if (isAway(err)) failedInRow++
        }
        if (failedInRow >= mostAtOnce) return
      }
    }
    await Promise.all(Array.from({ length: mostAtOnce }, work))
    const [first] = failures
    if (!first) return
    if (failedInRow >= mostAtOnce) throw first.err
    log.warn({ chain, ...first, count: failures.length }, 'accounts could not be looked at; trying again')
  }

  return async ({ client, outbox }) => {
    // The operator first: others live on its gas money.
    const [own] = await Promise.allSettled([outbox.recoverLost()])
    await findDue(client)
    await recoverDue(client)
    if (own.status === 'rejected') throw own.reason
  }
}
