import { ServiceError } from '#base/errors.js'
import { withNode } from '../connection/withNode.js'
import { findEarlier } from './earlierWrites.js'
import { guardOf, isGuardTaken } from './guard.js'
import { broadcast, findLanding, readFinal, readStatus } from './landing.js'
import { finishLanded } from './settleWrites.js'
import {
  finishByEarlier,
  listAfter,
  listOpen,
  markExpired,
  type SignedTransaction,
} from './signedTransactions.js'
import type { OutboxOptions } from './write.js'

/** Sends again what was in a confirmed block that the chain has lost since. */
export const recoverLost = async (outbox: OutboxOptions): Promise<void> => {
  const { db, chain, rpc } = outbox
  const finalSlot = await withNode(chain, () => rpc.getSlot({ commitment: 'finalized' }).send())
  for (const signed of await listAfter(db, chain, finalSlot)) {
    const { status } = await readStatus(outbox, signed)
    if (!status) await broadcast(outbox, signed)
  }
}

/** Records the end of bytes that could land until a moment ago, if it is known without their write. */
const finishOne = async (outbox: OutboxOptions, signed: SignedTransaction): Promise<void> => {
  const { db, feePayer, commitment } = outbox
  const landed = await findLanding(outbox, signed, commitment)
  if (landed === undefined) return
  if (landed !== 'never' && landed.error === null) {
    await finishLanded(outbox, signed, landed)
    return
  }
  const { address: guard } = guardOf(feePayer.address, signed.key)
  const isGuarded = signed.guard === guard
  const earlier = isGuarded ? await findEarlier(outbox, signed.key, { accounts: [guard] }) : undefined
  if (earlier) await finishByEarlier(db, signed, earlier)
  // Also if the row of another attempt has the earlier transaction, so that this row is not looked at again.
  if (landed === 'never') await markExpired(db, signed)
  // Without a guard, only the write knows whether another transaction did the same before.
  else if (isGuarded && !earlier && !isGuardTaken(landed.error)) await finishLanded(outbox, signed, landed)
}

/**
 * Creates the function that looks at the next page of signed transactions whose last block is final, and records how
 * each ended. Some have no job any more, because they are no longer due, and a later write under the same key reads the
 * record. Nothing is sent or signed.
 */
export const createFinishOpen = (outbox: OutboxOptions) => {
  const { db, log, chain } = outbox
  /** Where the last page ended. */
  let openEnd: string | undefined

  return async (): Promise<void> => {
    const { height } = await readFinal(outbox)
    // The pages follow each other, so that transactions of which no node can tell keep none of the others waiting.
    const { page, end } = await listOpen(db, { chain, height, after: openEnd })
    openEnd = end
    for (const signed of page) {
      try {
        await finishOne(outbox, signed)
      } catch (err) {
        if (!(err instanceof ServiceError) || err.isOutage) throw err
        log.warn({ chain, key: signed.key, err }, 'it is not known yet what became of a signed transaction')
      }
    }
  }
}
