import {
  changeTerms,
  isEditable,
  type OrderState,
  readRecipient,
  type TermsChange,
  viewOrder,
} from 'kassa/engine'
import type { EditOrderBody, Order } from 'kassa/schema'
import { audienceOf, requireOrderAccess } from '../authorize.js'
import type { Call } from '../call.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { holdTemplates } from './holdTemplates.js'
import { type PreparedQuote, prepareQuote } from './prepareQuote.js'
import { readPaymentTerms } from './readPaymentTerms.js'
import { lockOrder, readOrder } from './store.js'
import { applyEvents } from './updateOrder.js'
import { watchTargets } from './watchTargets.js'

const maxAttempts = 5

const assertEditable = (order: OrderState): void => {
  if (isEditable(order)) return
  throw new ServiceError('conflict', 'The order can no longer be changed: a payment was seen')
}

/**
 * Saves a quote made from a read of the order. Returns `undefined` if the order was written since,
 * or one of its templates was deleted.
 */
const saveQuote = (
  deps: Deps,
  call: Call,
  read: { order: OrderState; revision: number },
  { terms, watch }: PreparedQuote,
): Promise<Order | undefined> =>
  deps.db.transaction(async (tx) => {
    const { orderId } = read.order
    const stored = await lockOrder(tx, orderId)
    if (!stored) throw new ServiceError('not-found', 'Not found')
    assertEditable(stored.order)
    if (stored.revision !== read.revision) return undefined
    // Quoted again, the items of a deleted template are unavailable.
    if (await holdTemplates(tx, stored.order.projectId, terms.lineItems)) return undefined
    const order = await applyEvents(deps, tx, stored, [{ type: 'quoted', terms }])
    if (watch) await watchTargets(tx, { orderId, ...watch }, deps.now())
    const body = viewOrder(order, deps.now(), audienceOf(call.actor))
    await call.complete(tx, { status: 200, body })
    return body
  })

/**
 * Quotes an order again, with or without changes.
 *
 * @param change - Reads the caller's changes of the terms. It may refuse.
 * @throws {@link ServiceError} `forbidden`, `not-found`, `conflict`, `input-invalid`, `chain-unavailable`.
 */
export const requoteOrder = async (
  deps: Deps,
  call: Call,
  orderId: string,
  change: () => TermsChange,
): Promise<Order> => {
  requireOrderAccess(call.actor, 'orders.update', orderId)
  const changes = change()
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const read = await readOrder(deps.db, orderId, call.actor.projectId)
    if (!read) throw new ServiceError('not-found', 'Not found')
    assertEditable(read.order)
    const asked = changeTerms(read.order, changes)
    const saved = await saveQuote(deps, call, read, await prepareQuote(deps, asked, false))
    if (saved) return saved
  }
  throw new ServiceError('conflict', 'The order is being changed by another request: try again')
}

/**
 * Changes the recipient, the payment or the language of an unpaid order, and quotes it again.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `conflict`, `input-invalid`, `chain-unavailable`.
 * @source answers.md "Create order, edit order"
 */
export const editOrder = async (
  deps: Deps,
  call: Call,
  { orderId, body }: { orderId: string; body: EditOrderBody },
): Promise<Order> =>
  requoteOrder(deps, call, orderId, () => ({
    ...(body.locale && { locale: body.locale }),
    ...(body.recipient && { recipient: readRecipient(body.recipient) }),
    ...(body.payment && { payment: readPaymentTerms(deps, body.payment) }),
  }))

/**
 * Quotes an order again at today's price.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `conflict`, `chain-unavailable`.
 * @source answers.md "Create order, edit order"
 */
export const refreshOrder = async (deps: Deps, call: Call, input: { orderId: string }): Promise<Order> =>
  requoteOrder(deps, call, input.orderId, () => ({}))
