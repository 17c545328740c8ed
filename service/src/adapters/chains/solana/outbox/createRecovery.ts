import type { Rpc, SolanaRpcApi } from '@solana/kit'
import type { Operator } from '../chainParts.js'
import type { Connection } from '../connection/connect.js'
import { closeEveryMs, closeIdle } from '../payments/openOrderTokens.js'
import { closeGuards, closeGuardsEveryMs } from './closeGuards.js'

/** How often the service looks what became of transactions that may have no job any more. */
const finishOpenEveryMs = 60_000

/** Keeps what the operator has sent going, through an open connection. */
export type Recover = (opened: Connection) => Promise<void>

/** Creates a function that says whether some time has passed since it last said so. */
const createInterval = (everyMs: number): (() => boolean) => {
  let lastMs = 0
  return () => {
    if (Date.now() - lastMs < everyMs) return false
    lastMs = Date.now()
    return true
  }
}

/**
 * Creates the recovery of a chain: it sends again what the chain has lost, and now and then records how open
 * transactions ended and closes accounts that no write or order needs any more.
 *
 * @param assertKnown - Asserts that the database knows all that the operator's key has written.
 */
export const createRecovery = (
  parts: Operator,
  assertKnown: (rpc: Rpc<SolanaRpcApi>) => Promise<void>,
): Recover => {
  const { db, log } = parts.options
  const { chain } = parts
  const isFinishDue = createInterval(finishOpenEveryMs)
  const areGuardsDue = createInterval(closeGuardsEveryMs)
  const areTokensDue = createInterval(closeEveryMs)

  return async (opened) => {
    await assertKnown(opened.rpc)
    await opened.outbox.recover()
    if (isFinishDue()) await opened.outbox.finishOpen()
    if (areGuardsDue()) await closeGuards(opened, { db, chain, log })
    if (!areTokensDue()) return
    await closeIdle(opened, { db, chain }, parts)
  }
}
