import {
  isFree,
  newOrder,
  type OrderState,
  readCapture,
  readLineItems,
  readRecipient,
  transition,
  viewOrder,
} from 'kassa/engine'
import type { CreateOrderAnswer, ParsedCreateOrderBody } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Transaction } from '#base/db/database.js'
import { createTransactionBatch } from '#base/db/transactTogether.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import { createUuid } from '#base/lib/uuid.js'
import { audienceOf, requireScope } from '#identity/authorize.js'
import { hashSecret, newSecret } from '#identity/keys/secret.js'
import { countClaim } from './countClaim.js'
import { emitOrderEvents } from './emitOrderEvents.js'
import { enqueueEffects } from './enqueueEffects.js'
import { holdTemplates } from './holdTemplates.js'
import { reserveUse } from './linkUses.js'
import { type PreparedQuote, prepareQuote } from './prepareQuote.js'
import { countGuess, requirePromoted } from './promotionGuesses.js'
import { readPaymentTerms } from './readPaymentTerms.js'
import { withRefundAddress } from './readRefundAddress.js'
import { insertOrders } from './store.js'
import { applyEvents } from './updateOrder.js'
import { watchTargets } from './watchTargets.js'

/** An order that is quoted, and not yet stored. */
type Draft = { call: Call; order: OrderState } & PreparedQuote

/** What is ordered, and the payment link that its buyer opened. It counts as a use of the link. */
type OrderBody = ParsedCreateOrderBody & { paymentLinkId?: string }

/** All transactions lock payment links in one order, to avoid a deadlock. */
const byLink = ({ order: one }: Draft, { order: other }: Draft): number =>
  (one.paymentLinkId ?? '') < (other.paymentLinkId ?? '') ? -1 : 1

/** Stores drafts. */
const insertDrafts = async (
  deps: Deps,
  tx: Transaction,
  drafts: readonly Draft[],
): Promise<CreateOrderAnswer[]> => {
  for (const { order, terms } of drafts) {
    const deletedId = await holdTemplates(tx, order.projectId, terms.lineItems)
    if (deletedId !== undefined) throw new ServiceError('not-found', `Template ${deletedId} not found`)
  }
  const nowMs = deps.now()
  for (const { order } of [...drafts].sort(byLink)) {
    const { orderId, paymentLinkId } = order
    if (paymentLinkId !== undefined) await reserveUse(tx, { paymentLinkId, orderId, nowMs })
  }
  const created = drafts.map(({ call, order, terms }) => {
    const clientSecret = newSecret('cs', deps.randomBytes)
    const clientSecretHash = hashSecret(clientSecret)
    return { call, clientSecret, clientSecretHash, ...transition(order, { type: 'quoted', terms }, nowMs) }
  })
  await insertOrders(tx, created, nowMs)
  const watches = drafts.flatMap(({ order: { orderId }, watch }) => (watch ? { orderId, ...watch } : []))
  await watchTargets(tx, watches, nowMs)
  const answers: CreateOrderAnswer[] = []
  for (const { call, order, effects, clientSecret } of created) {
    await enqueueEffects(deps, tx, order, effects)
    await emitOrderEvents(deps, tx, { before: undefined, after: order, createdAtMs: nowMs }, nowMs)
    // There is no payment that would say that the buyer wants it, so creating it does.
    const stored = { order, revision: 0, createdAt: new Date(nowMs) }
    const final = isFree(order) ? await applyEvents(deps, tx, stored, [{ type: 'claim-requested' }]) : order
    const answer = { clientSecret, order: viewOrder(final, nowMs, audienceOf(call.actor)) }
    await call.complete(tx, { status: 201, body: answer })
    answers.push(answer)
  }
  return answers
}

const batches = new WeakMap<Deps, (draft: Draft) => Promise<CreateOrderAnswer>>()

/** Stores a draft. Those that come at about the same time share a transaction. */
const insertDraft = (deps: Deps, draft: Draft): Promise<CreateOrderAnswer> => {
  const join =
    batches.get(deps) ?? createTransactionBatch(deps.db, (tx, drafts) => insertDrafts(deps, tx, drafts))
  batches.set(deps, join)
  return join(draft)
}

/**
 * Creates an order under an id that no order has.
 *
 * @returns The order and its client secret, which no other answer contains.
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `not-found`, `chain-unavailable`, `rate-limited`.
 */
export const createOrderAs = async (
  deps: Deps,
  call: Call,
  { orderId, body }: { orderId: string; body: OrderBody },
): Promise<CreateOrderAnswer> => {
  requireScope(call.actor, 'orders.create')

  const { projectId } = call.actor
  const capture = checkInput(() =>
    readCapture(body.payment.capture, {
      isServer: call.actor.kind === 'server-key',
      windowMs: deps.config.captureMs,
    }),
  )
  const payment = await withRefundAddress(deps, orderId, readPaymentTerms(deps, body.payment))
  const items = checkInput(() => readLineItems(deps.config.namespace, body.lineItems))
  const recipient = readRecipient(body.recipient)
  const { locale = 'en-US', metadata, gift, promotionCode, allowListProof, paymentLinkId } = body

  const ofSale = { promotionCode, allowListProof }
  const asked = { orderId, projectId, locale, metadata, recipient, payment, items, ...ofSale }
  if (promotionCode !== undefined) await countGuess(deps, call)
  const quote = await prepareQuote(deps, asked, { call, isFirst: true })
  if (promotionCode !== undefined) await requirePromoted(deps, call, quote.terms)
  const isPublic = call.actor.kind === 'client-key' && { isPublic: true as const }
  const order = {
    ...newOrder(orderId, projectId, quote.terms),
    ...(gift && { gift }),
    ...(paymentLinkId !== undefined && { paymentLinkId }),
    ...capture,
    ...isPublic,
  }
  await countClaim(deps, call, { order, terms: quote.terms })
  return insertDraft(deps, { call, order, ...quote })
}

/**
 * Creates an order, quotes it and prepares its payment.
 *
 * @returns The order and its client secret, which no other answer contains.
 * @throws {@link ServiceError} as {@link createOrderAs}.
 * @source interface.md "Create order"
 */
export const createOrder = (deps: Deps, call: Call, body: OrderBody): Promise<CreateOrderAnswer> =>
  createOrderAs(deps, call, { orderId: createUuid(deps.randomBytes), body })
