import { eq } from 'drizzle-orm'
import type { Database } from '../db/database.js'
import { chainTransactions } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { ChainPort } from '../ports/chain.js'
import { readCursor } from './chainCursor.js'
import type { WakeableLoop } from './watchLoop.js'
import { type LoopTiming, watchLoop } from './watchLoop.js'

/** Whether the service has ever written to a chain. */
const hasWrites = async (db: Database, chain: string): Promise<boolean> => {
  const ofChain = eq(chainTransactions.chain, chain)
  const rows = await db.select({ key: chainTransactions.key }).from(chainTransactions).where(ofChain).limit(1)
  return rows.length > 0
}

/**
 * Whether a chain may have lost any of the service's transactions. A local chain is recovered only once an
 * order uses it.
 */
const isInUse = async ({ db }: Deps, chain: ChainPort): Promise<boolean> =>
  (await readCursor(db, chain.chain)) !== undefined || (!chain.isLocal && (await hasWrites(db, chain.chain)))

const words = {
  failed: 'cannot send again what the chain may have lost; trying again',
  again: 'sending again what the chain may have lost',
}

/**
 * Starts to resend what a chain has lost. It runs beside the search for payments, so that neither waits for
 * the other, which may take long or fail.
 */
export const recoverLost = (deps: Deps, chain: ChainPort, timing: LoopTiming): WakeableLoop =>
  watchLoop(deps, chain.chain, timing, words, async () => {
    if (await isInUse(deps, chain)) await chain.recover()
  })
