import { type Transition, unchanged } from './ledger.js'
import { nextAttemptAtMs } from './nextAttempt.js'
import type { OrderState } from './order.js'

/** Takings are nobody else's, and nobody waits for them: they are tried for ever, and seldom in the end. */
const seldomMs = 6 * 60 * 60_000

/** Which attempt at moving the takings is the present one. */
export const sweepAttempt = ({ sweepRefusal }: OrderState): number => (sweepRefusal?.attempts ?? 0) + 1

/** The chain refused to move the takings of an order: they are tried again later. */
export const refuseSweep = (
  order: OrderState,
  { attempt, reason }: { attempt: number; reason: string },
  nowMs: number,
): Transition => {
  if (!order.isSwept || sweepAttempt(order) !== attempt) return unchanged(order)
  const atMs = nextAttemptAtMs(attempt, nowMs) ?? nowMs + seldomMs
  return {
    order: { ...order, sweepRefusal: { attempts: attempt, reason } },
    effects: [{ type: 'sweep-again', atMs }],
  }
}

/** The takings of an order reached the treasury. */
export const settleSweep = (order: OrderState): Transition => {
  if (!order.sweepRefusal) return unchanged(order)
  const { sweepRefusal: _overcome, ...swept } = order
  return { order: swept, effects: [] }
}
