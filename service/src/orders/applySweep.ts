import { nextAttemptAtMs } from '../nextAttempt.js'
import type { OrderEvent } from './event.js'
import { type Transition, unchanged } from './ledger.js'
import { listTakings } from './listTakings.js'
import type { OrderState } from './order.js'

/**
 * How rarely sweeps are tried in the end. Proceeds have no other claimant and no buyer waits for them, so
 * sweeps are tried without a limit.
 */
const seldomMs = 6 * 60 * 60_000

/** Returns the number of the current attempt at a sweep under a key. */
export const sweepAttempt = ({ sweepRefusals }: OrderState, key: string): number =>
  (sweepRefusals?.[key]?.attempts ?? 0) + 1

/** Records that the chain refused a sweep: it is tried again later. */
export const refuseSweep = (
  order: OrderState,
  { key, attempt, reason }: Extract<OrderEvent, { type: 'sweep-refused' }>,
  nowMs: number,
): Transition => {
  const refused = order.isSwept ? listTakings(order).find((taking) => taking.key === key) : undefined
  if (!refused || sweepAttempt(order, key) !== attempt) return unchanged(order)
  const { recipient } = refused
  const atMs = nextAttemptAtMs(attempt, nowMs) ?? nowMs + seldomMs
  const sweepRefusals = { ...order.sweepRefusals, [key]: { attempts: attempt, reason } }
  return {
    order: { ...order, sweepRefusals },
    effects: [{ type: 'sweep-again', atMs, ...(recipient !== undefined && { recipient }) }],
  }
}

/** Records that a sweep of proceeds reached its recipient. */
export const settleSweep = (order: OrderState, key: string): Transition => {
  if (!order.sweepRefusals?.[key]) return unchanged(order)
  const { [key]: _overcome, ...others } = order.sweepRefusals
  const { sweepRefusals: _all, ...swept } = order
  const isRefused = Object.keys(others).length > 0
  return { order: { ...swept, ...(isRefused && { sweepRefusals: others }) }, effects: [] }
}
