import { type WakeableLoop, watchLoop } from '#base/watch/watchLoop.js'
import { giveUpHints, lookAtHints } from './lookAtHints.js'
import { recheckFunds } from './recheckFunds.js'
import type { Watched } from './watched.js'

const fundsWords = {
  failed: 'cannot check the funds of payers; trying again',
  again: 'checking the funds of payers again',
}
const hintWords = {
  failed: 'cannot look at reported transactions; trying again',
  again: 'looking at reported transactions again',
}
const reportWords = {
  failed: 'cannot give up reported transactions; trying again',
  again: 'giving up reported transactions again',
}

/** Starts to check the payers of a chain's unpaid orders. It runs beside the search for payments, which never waits for it. */
export const watchFunds = ({ deps, chain, lease, options, readUse }: Watched): WakeableLoop => {
  const { tickMs, fundsEveryMs, fundsPerCheck, maxBackOffMs } = options
  const loop = { chain: chain.chain, words: fundsWords, tickMs: Math.max(tickMs, fundsEveryMs), maxBackOffMs }
  return watchLoop(deps, loop, async () => {
    const use = await readUse()
    if (!use?.isBusy) return
    // Every process checks for its own callers, and one of them for those who left.
    const isFollowedOnly = !(await lease.hold())
    await recheckFunds(deps, chain.chain, { limit: fundsPerCheck, isFollowedOnly })
  })
}

/** Starts to look at the reported transactions of a chain. It runs beside the search for payments as well. */
export const watchHints = ({ deps, chain, lease, options, readUse }: Watched): WakeableLoop => {
  const { tickMs, hintsEveryMs, hintsPerCheck, restEveryMs, maxBackOffMs } = options
  const loop = { chain: chain.chain, words: hintWords, tickMs: Math.max(tickMs, hintsEveryMs), maxBackOffMs }
  let seenAtMs = Number.NEGATIVE_INFINITY
  return watchLoop(deps, loop, async () => {
    if (!(await lease.hold())) return
    const use = await readUse()
    if (!use?.isWatched || !use.cursor) return
    if (!use.isReported && deps.now() - seenAtMs < restEveryMs) return
    seenAtMs = deps.now()
    await lookAtHints(deps, chain, hintsPerCheck)
  })
}

/**
 * Starts to give up the reported transactions of a chain's orders. It runs beside the search for payments, because
 * it asks the nodes of all chains, and one that does not answer must not delay the payments of another.
 */
export const watchReports = ({ deps, chain, lease, options }: Watched): WakeableLoop => {
  const { tickMs, hintsEveryMs, hintsPerCheck, maxBackOffMs } = options
  const loop = {
    chain: chain.chain,
    words: reportWords,
    tickMs: Math.max(tickMs, hintsEveryMs),
    maxBackOffMs,
  }
  return watchLoop(deps, loop, async () => {
    if (await lease.hold()) await giveUpHints(deps, chain.chain, hintsPerCheck)
  })
}
