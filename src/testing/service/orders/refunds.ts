import type { OrderState } from '../../../engine/order/order.js'
import { explainLeft, planRefund } from '../../../engine/order/planRefund.js'
import { viewRefund } from '../../../engine/order/viewRefund.js'
import { parseInput } from '../../../engine/parseInput.js'
import { CreateRefundBody, type Refund } from '../../../schema/refund.js'
import { type Answer, HttpError, notFound, readPage } from '../http.js'
import { applyEvent } from '../progress.js'
import type { TestOrder, TestWorld } from '../testWorld.js'

const viewTestRefund = (
  { order, refundedAtMs }: TestOrder,
  refund: OrderState['refunds'][number],
): Refund => {
  const createdAtMs = refundedAtMs.get(refund.id)
  return viewRefund(order, refund, createdAtMs === undefined ? {} : { createdAtMs })
}

/** Refunds an order, or a part of it. */
export const createRefund = (world: TestWorld, record: TestOrder, input: unknown): Answer => {
  const plan = planRefund(record.order, parseInput(CreateRefundBody, input, 'body'))
  const refuse = (message: string) => new HttpError(409, message)
  if ('refusal' in plan) throw refuse(plan.refusal)
  const { reason } = parseInput(CreateRefundBody, input, 'body')
  const request = { shares: plan, ...(reason !== undefined && { reason }) }
  const { length } = record.order.refunds
  applyEvent(world, record, { event: { type: 'refund-requested', request }, atMs: world.now() })
  const refund = record.order.refunds[length]
  if (!refund) throw refuse(`The refund was not started: ${explainLeft(record.order)}`)
  return { status: 201, body: viewTestRefund(record, refund) }
}

/** Lists the refunds of an order. */
export const listRefunds = (record: TestOrder, query: URLSearchParams): Answer => {
  const shown = readPage(query)(record.order.refunds)
  return { status: 200, body: { data: shown.map((refund) => viewTestRefund(record, refund)) } }
}

/** Gets a refund of an order. */
export const getRefund = (record: TestOrder, refundId: string): Answer => {
  const refund = record.order.refunds.find(({ id }) => id === refundId)
  if (!refund) throw notFound()
  return { status: 200, body: viewTestRefund(record, refund) }
}
