import { timingSafeEqual } from 'node:crypto'
import {
  acceptsPayment,
  dueUnits,
  explainUneditable,
  type OrderState,
  transition,
  viewOrder,
} from 'kassa/engine'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import { findOpen } from '../authorizations/authorizationRows.js'
import { findX402Token } from '../orders/offerX402.js'
import { refreshOrder } from '../orders/requoteOrder.js'
import { readOrder } from '../orders/store.js'
import {
  askForPayment,
  type PaymentPayload,
  type PaymentRequirements,
  type SettledPayment,
  settlementHeader,
  type X402Reply,
} from './protocol.js'
import { payerIn, readSignedTransfer } from './readSignedTransfer.js'
import { settlePayment, toRefused } from './settlePayment.js'

/** A request at the URL of an order. */
export type OrderRequest = {
  orderId: string
  /** The token of the URL. */
  token: string
  /** Absent if the client asks what to pay. */
  payment?: PaymentPayload | undefined
  client: Call['client']
}

const isSame = (one: string, other: string): boolean => {
  const [given, kept] = [Buffer.from(one), Buffer.from(other)]
  return given.length === kept.length && timingSafeEqual(given, kept)
}

/**
 * Finds the order that a URL opens.
 *
 * @throws {@link ServiceError} `not-found` with another token too, so that nobody learns which orders there are.
 */
const findOrder = async (
  { db }: Pick<Deps, 'db'>,
  { orderId, token }: Pick<OrderRequest, 'orderId' | 'token'>,
): Promise<OrderState> => {
  const { order } = (await readOrder(db, orderId)) ?? {}
  const url = order?.payment.x402Url
  if (!order || url === undefined || !isSame(token, new URL(url).searchParams.get('token') ?? '')) {
    throw new ServiceError('not-found', 'Not found: the URL of an order is its payment.x402Url')
  }
  return order
}

/** A quote that ends sooner is renewed before it is offered. @units seconds */
const leastSeconds = 45
/** How long before the end of the quote an authorization ends, so that a client's clock may be off. @units seconds */
const marginSeconds = 15
/** The longest time that a client is given. @units seconds */
const mostSeconds = 120

/** Returns how long a client has to pay a quote. @units seconds */
const timeoutUntil = (expiresAtMs: number, nowMs: number): number => {
  const left = Math.floor((expiresAtMs - nowMs) / 1000)
  return Math.max(1, Math.min(mostSeconds, left - marginSeconds))
}

const isOffered = ({ phase, quote }: OrderState, nowMs: number): boolean =>
  phase === 'payment' && (quote.expiresAtMs ?? 0) > nowMs + leastSeconds * 1000

const requireChain = ({ chains }: Pick<Deps, 'chains'>, { payment }: OrderState): ChainPort => {
  const chain = chains.get(payment.chain)
  if (chain) return chain
  throw new ServiceError('conflict', `The order cannot be paid: ${payment.chain} is no longer enabled`)
}

/** Quotes an order again if its price ends soon. */
const withQuote = async (deps: Deps, order: OrderState, client: Call['client']): Promise<OrderState> => {
  const nowMs = deps.now()
  const current = transition(order, { type: 'time-passed' }, nowMs).order
  if (isOffered(current, nowMs) || explainUneditable(current) !== undefined) return current
  const { orderId, projectId } = order
  const actor = { kind: 'client-secret', orderId, projectId } as const
  await refreshOrder(deps, { actor, client, complete: async () => {} }, { orderId })
  return (await readOrder(deps.db, orderId))?.order ?? current
}

const underWay = (): ServiceError =>
  new ServiceError('conflict', 'A payment for this order is on its way: ask again in a few seconds')

/** Says why an order cannot be paid now. */
export const explainUnpayable = (order: OrderState): string => {
  const { lineItems, quote } = order
  const uneditable = explainUneditable(order)
  if (uneditable !== undefined) return uneditable
  const reasons = lineItems.flatMap((item) => item.quote.unavailabilityReason?.message ?? [])
  return `The order has no price: ${[`its quote is ${quote.status}`, ...reasons].join('. ')}`
}

/** Returns the one way to pay an order by x402: its currency on its chain, to its own deposit address. */
export const requirementsOf = async (
  deps: Deps,
  chain: ChainPort,
  terms: { orderId: string; currency: string; units: bigint; expiresAtMs: number },
): Promise<PaymentRequirements | undefined> => {
  const { orderId, currency, units, expiresAtMs } = terms
  const token = await findX402Token(deps, chain, currency)
  if (!token) return undefined
  const { address: asset, name, version } = token
  return {
    scheme: 'exact',
    network: await chain.getCaip2(),
    amount: `${units}`,
    asset,
    payTo: chain.paymentTarget({ orderId, currency }),
    maxTimeoutSeconds: timeoutUntil(expiresAtMs, deps.now()),
    extra: { name, version, assetTransferMethod: 'eip3009', orderId },
  }
}

/** Answers with what is to be paid for an order. */
const ask = async (
  deps: Deps,
  found: OrderState,
  client: Call['client'],
  error: string,
): Promise<X402Reply> => {
  const { orderId } = found
  const order = await withQuote(deps, found, client)
  const units = dueUnits(order)
  const { expiresAtMs } = order.quote
  if (order.phase !== 'payment' || !units || expiresAtMs === undefined) {
    throw new ServiceError('conflict', explainUnpayable(order))
  }
  const chain = requireChain(deps, order)
  const { currency } = order.payment
  const paid = { chain: chain.chain, currency, units: `${units}`, minedAtMs: deps.now() }
  if (!acceptsPayment(order, paid)) throw underWay()
  const requirements = await requirementsOf(deps, chain, { orderId, currency, units, expiresAtMs })
  if (!requirements) throw new ServiceError('conflict', 'This shop sends no signed payments any more')
  // Without its token: clients hand it on, and may write it down.
  const url = `${deps.config.publicUrl}/api/2022-06-09/orders/${orderId}/x402`
  // In ASCII: some clients write what they repeat as bytes of Latin-1, and fail at other characters.
  const resource = { url, description: `Order ${orderId}`, mimeType: 'application/json' } as const
  return askForPayment({ resource, accepts: [requirements] }, error)
}

/** Answers with an order as its buyer sees it. */
export const showOrder = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  orderId: string,
  headers: X402Reply['headers'] = {},
): Promise<X402Reply> => {
  const { order } = (await readOrder(db, orderId)) ?? {}
  if (!order) throw new ServiceError('not-found', 'Not found')
  return { status: 200, headers, body: viewOrder(order, now(), 'buyer') }
}

/** Answers a payment that was refused with its reason, and with what is to be paid now. */
export const refusePayment = async (
  settled: SettledPayment & { success: false },
  askAgain: (error: string) => Promise<X402Reply>,
): Promise<X402Reply> => {
  const { status, headers, body } = await askAgain(settled.errorReason)
  return { status, headers: { ...headers, ...settlementHeader(settled) }, body }
}

/** Has a payload pay for an order. */
export const bringPayment = async (
  deps: Deps,
  order: OrderState,
  payment: PaymentPayload,
): Promise<SettledPayment> => {
  const network = await requireChain(deps, order).getCaip2()
  let body: ReturnType<typeof readSignedTransfer>
  try {
    body = readSignedTransfer(payment, network)
  } catch (error) {
    return toRefused(error, { network, payer: payerIn(payment) })
  }
  return settlePayment(deps, order, { body, network })
}

/** Whether an order asks for no more money: it was paid, and what was paid is counted. */
const isPaid = ({ phase }: OrderState): boolean => phase === 'delivery' || phase === 'completed'

/**
 * Answers a request at the URL of an order as x402 says: what to pay, or the order once it is paid.
 *
 * @throws {@link ServiceError} `not-found`, `input-invalid`; `conflict` while a payment is under way or if there is no price;
 * as {@link settlePayment}.
 * @source answers.md "Revised a third time"
 */
export const payOrder = async (
  deps: Deps,
  { payment, client, ...asked }: OrderRequest,
): Promise<X402Reply> => {
  const order = await findOrder(deps, asked)
  const { orderId } = order
  if (payment) {
    const settled = await bringPayment(deps, order, payment)
    if (settled.success) return showOrder(deps, orderId, settlementHeader(settled))
    return refusePayment(settled, (error) => ask(deps, order, client, error))
  }
  if (isPaid(order)) return showOrder(deps, orderId)
  // A client that has lost the answer to its payment must not be asked for another one.
  if (await findOpen(deps.db, order, deps.now())) throw underWay()
  return ask(deps, order, client, 'PAYMENT-SIGNATURE header is required')
}
