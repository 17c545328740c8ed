import type { OrderEvent, OrderState, SweepCredit } from 'kassa/engine'
import { listProceeds, type Proceeds, sweepAttempt } from 'kassa/engine'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { JobHandler } from '#base/ports/jobs.js'
import { attemptKey } from '#base/ports/write.js'
import { createOrderReader } from './store.js'
import { createOrderChanges } from './updateOrder.js'

const moveProceeds = async (
  deps: Deps,
  chain: ChainPort,
  { order, own }: { order: OrderState; own: Proceeds },
): Promise<OrderEvent> => {
  const { orderId } = order
  const { key, recipient, currency, units } = own
  const attempt = sweepAttempt(order, key)
  const input = { orderId, currency, units, ...(recipient !== undefined && { recipient }) }
  const swept = await chain.sweep(attemptKey(key, attempt), input)
  switch (swept.status) {
    case 'succeeded':
      return { type: 'swept', key }
    case 'credited': {
      const { txId, contract } = swept
      deps.log.error({ orderId, recipient, txId }, 'the recipient of proceeds could not receive them')
      return { type: 'sweep-credited', key, txId, contract }
    }
    case 'failed': {
      const { reason } = swept
      deps.log.error({ orderId, recipient, attempt, reason }, 'the proceeds of an order could not be moved')
      return { type: 'sweep-refused', key, attempt, reason }
    }
  }
}

/** Checks whether credited proceeds were claimed, and sends them if the operator named another address. */
const followCredit = async (
  chain: ChainPort,
  key: string,
  { txId, contract, attempts, sentTo }: SweepCredit,
): Promise<OrderEvent> => {
  if ((await chain.findCreditPayOut(key)) !== undefined) return { type: 'swept', key }
  if (sentTo === undefined) return { type: 'sweep-credited', key, txId, contract }
  const input = { payOutKey: key, recipient: sentTo }
  const sent = await chain.payOutCredit(attemptKey(`credit:${key}`, attempts), input)
  if (sent.status === 'succeeded') return { type: 'swept', key }
  return { type: 'sweep-credit-refused', key, attempt: attempts, reason: sent.reason }
}

/**
 * Sweeps one recipient's proceeds of a finished order, once however often it runs. A refused sweep is tried
 * again later, and one that its recipient could not receive is followed until it is claimed. Each recipient has
 * a separate job, so that a refusal of one does not delay the others.
 */
export const sweepOrder = (deps: Deps): JobHandler<'orders.sweep'> => {
  const read = createOrderReader(deps.db)
  const change = createOrderChanges(deps)
  return async ({ orderId, recipient }) => {
    const order = await read(orderId)
    const proceeds = order?.isSwept ? listProceeds(order) : []
    const own = proceeds.find((one) => one.recipient === recipient)
    if (!order || !own) return
    const chain = deps.chains.get(own.chain)
    if (!chain) throw new Error(`${own.chain} is no longer enabled`)
    await chain.ready()
    const credit = order.sweepCredits?.[own.key]
    const event = credit
      ? await followCredit(chain, own.key, credit)
      : await moveProceeds(deps, chain, { order, own })
    await change({ orderId, events: [event] })
  }
}
