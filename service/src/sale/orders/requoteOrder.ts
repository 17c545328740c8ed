import {
  type AskedTerms,
  changeTerms,
  explainUneditable,
  isClaim,
  type OrderState,
  readRecipient,
  type TermsChange,
  viewOrder,
} from 'kassa/engine'
import { type EditOrderBody, isPaymentInput, type Order } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { audienceOf, requireOrderAccess } from '#identity/authorize.js'
import { countClaim } from './countClaim.js'
import { holdTemplates } from './holdTemplates.js'
import { reserveUse } from './linkUses.js'
import { nameRefundAddress } from './nameRefundAddress.js'
import { type PreparedQuote, prepareQuote } from './prepareQuote.js'
import { countGuess, requirePromoted } from './promotionGuesses.js'
import { readPaymentTerms } from './readPaymentTerms.js'
import { withRefundAddress } from './readRefundAddress.js'
import { lockOrder, readOrder, type StoredOrder } from './store.js'
import { applyEvents } from './updateOrder.js'
import { watchTargets } from './watchTargets.js'

const maxAttempts = 5

/** Asserts that no payment that was seen may pay for an order, so that it can be quoted again. */
export const assertEditable = (order: OrderState): void => {
  const refusal = explainUneditable(order)
  if (refusal !== undefined) throw new ServiceError('conflict', refusal)
}

/**
 * Saves a quote made from a read of the order. Returns `undefined` if the order was written since,
 * or one of its templates was deleted.
 */
const saveQuote = (
  deps: Deps,
  call: Call,
  { read, prepared, isClaim }: { read: StoredOrder; prepared: PreparedQuote; isClaim: boolean },
): Promise<Order | undefined> =>
  deps.db.transaction(async (tx) => {
    const { orderId } = read.order
    const { terms, watch } = prepared
    const stored = await lockOrder(tx, orderId)
    if (!stored) throw new ServiceError('not-found', 'Not found')
    assertEditable(stored.order)
    if (stored.revision !== read.revision) return undefined
    const { paymentLinkId } = stored.order
    if (paymentLinkId !== undefined) await reserveUse(tx, { paymentLinkId, orderId, nowMs: deps.now() })
    // Quoted again, the items of a deleted template are unavailable.
    if (await holdTemplates(tx, stored.order.projectId, terms.lineItems)) return undefined
    const order = await applyEvents(deps, tx, stored, [
      { type: 'quoted', terms },
      ...(isClaim ? [{ type: 'claim-requested' as const }] : []),
    ])
    if (watch) await watchTargets(tx, [{ orderId, ...watch }], deps.now())
    const body = viewOrder(order, deps.now(), audienceOf(call.actor))
    await call.complete(tx, { status: 200, body })
    return body
  })

/** Returns the terms of an order with changes. An address of refunds must be one on the chain of the payment. */
const readTerms = async (deps: Deps, order: OrderState, changes: TermsChange): Promise<AskedTerms> => {
  const asked = changeTerms(order, changes)
  const { chain, refundAddress } = order.payment
  const isKnown = asked.payment.chain === chain && asked.payment.refundAddress === refundAddress
  return isKnown ? asked : { ...asked, payment: await withRefundAddress(deps, order.orderId, asked.payment) }
}

/**
 * Quotes an order again, with or without changes.
 *
 * @param change - Reads the caller's changes of the terms; `undefined` if only the price is renewed. It may refuse.
 * @throws {@link ServiceError} `forbidden`, `not-found`, `conflict`, `input-invalid`, `chain-unavailable`, `rate-limited`.
 */
export const requoteOrder = async (
  deps: Deps,
  call: Call,
  orderId: string,
  change: () => TermsChange | undefined,
): Promise<Order> => {
  requireOrderAccess(call.actor, 'orders.update', orderId)
  const edited = change()
  const changes = edited ?? {}
  const isPromoted = changes.promotionCode != null
  if (isPromoted) await countGuess(deps, call)
  let isCounted = false
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const read = await readOrder(deps.db, orderId, call.actor.projectId)
    if (!read) throw new ServiceError('not-found', 'Not found')
    assertEditable(read.order)
    const asked = await readTerms(deps, read.order, changes)
    const prepared = await prepareQuote(deps, asked, { call, isFirst: false })
    if (isPromoted) await requirePromoted(deps, call, prepared.terms)
    const claim = isClaim(read.order, edited)
    if (claim && !isCounted)
      isCounted = await countClaim(deps, call, { order: read.order, terms: prepared.terms })
    const saved = await saveQuote(deps, call, { read, prepared, isClaim: claim })
    if (saved) return saved
  }
  throw new ServiceError('conflict', 'The order is being changed by another request: try again')
}

/** Reads a change of the payment: another way to pay, or the address of refunds alone. */
const readPaymentChange = (deps: Deps, { payment }: EditOrderBody): TermsChange => {
  if (!payment) return {}
  if (isPaymentInput(payment)) return { payment: readPaymentTerms(deps, payment) }
  return payment.refundAddress === undefined ? {} : { refundAddress: payment.refundAddress }
}

/** Returns the address of refunds that a body names, if it changes nothing else. */
const findRefundAddressAlone = ({ payment, ...others }: EditOrderBody): string | undefined =>
  payment && !isPaymentInput(payment) && Object.values(others).every((value) => value === undefined)
    ? payment.refundAddress
    : undefined

/**
 * Changes the recipient, the payment, the language or the promotion code of an unpaid order, and quotes it again. The
 * address of refunds alone changes no quote.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `conflict`, `input-invalid`, `chain-unavailable`.
 * @source answers.md "Create order, edit order"
 */
export const editOrder = async (
  deps: Deps,
  call: Call,
  { orderId, body }: { orderId: string; body: EditOrderBody },
): Promise<Order> => {
  const address = findRefundAddressAlone(body)
  if (address !== undefined) return nameRefundAddress(deps, call, { orderId, address })
  return requoteOrder(deps, call, orderId, () => ({
    ...(body.locale && { locale: body.locale }),
    ...(body.recipient && { recipient: readRecipient(body.recipient) }),
    ...readPaymentChange(deps, body),
    ...(body.promotionCode !== undefined && { promotionCode: body.promotionCode }),
    ...(body.allowListProof && { allowListProof: body.allowListProof }),
  }))
}

/**
 * Quotes an order again at today's price.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `conflict`, `chain-unavailable`.
 * @source answers.md "Create order, edit order"
 */
export const refreshOrder = async (deps: Deps, call: Call, input: { orderId: string }): Promise<Order> =>
  requoteOrder(deps, call, input.orderId, () => undefined)
