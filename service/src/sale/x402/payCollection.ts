import type { OrderState } from 'kassa/engine'
import { CreateOrderBody } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { parseInput } from '#base/lib/parseInput.js'
import { isUuid } from '#base/lib/uuid.js'
import { withMutex } from '#base/lib/withMutex.js'
import { refuseAuthorization } from '../authorizations/bringAuthorization.js'
import { createOrderAs } from '../orders/createOrder.js'
import { readOrder } from '../orders/store.js'
import { bringPayment, explainUnpayable, refusePayment, requirementsOf, showOrder } from './payOrder.js'
import {
  type AskedGoods,
  type CollectionPrice,
  type FoundCollection,
  findSoldCollection,
  priceCollection,
} from './priceCollection.js'
import { askForPayment, type PaymentPayload, settlementHeader, type X402Reply } from './protocol.js'
import { payerIn, readSignedTransfer } from './readSignedTransfer.js'
import { toRefused } from './settlePayment.js'

/** A request for one token of a collection. */
export type CollectionRequest = AskedGoods & {
  /** Absent if the client asks what to pay. */
  payment?: PaymentPayload | undefined
  client: Call['client']
  /** The id of the order that a payment would make. */
  orderId: string
  /** Counts the request against the limits of the collection's project, or refuses it. */
  admit(projectId: string): Promise<void>
}

/** A request whose collection is found. */
type FoundRequest = CollectionRequest & { collection: FoundCollection }

/** Answers with what one token costs. No order is made for it: the address to pay follows from the id of the order. */
const ask = async (
  deps: Deps,
  { collection, templateId, orderId }: FoundRequest,
  error: string,
): Promise<X402Reply> => {
  const prices = await priceCollection(deps, collection, { orderId, templateId })
  const accepts = await Promise.all(
    prices.map(({ chain, ...price }) => requirementsOf(deps, chain, { orderId, ...price })),
  )
  const url = `${deps.config.publicUrl}/api/x402/collections/${collection.id}`
  const resource = { url, description: `A token of ${collection.id}`, mimeType: 'application/json' } as const
  return askForPayment({ resource, accepts: accepts.flatMap((each) => each ?? []) }, error)
}

/** A payment for a token, as it was read and before its order is made. */
type Bid = { orderId: string; payer: string; price: CollectionPrice; network: string }

/** Finds the way to pay that a client accepted. */
const findPrice = async (
  prices: readonly CollectionPrice[],
  { accepted }: PaymentPayload,
): Promise<{ price: CollectionPrice; network: string }> => {
  for (const price of prices) {
    const { chain, currency } = price
    const network = await chain.getCaip2()
    const { address } = chain.currencies.find((known) => known.currency === currency) ?? {}
    if (network === accepted.network && address?.toLowerCase() === accepted.asset.toLowerCase()) {
      return { price, network }
    }
  }
  return refuseAuthorization({
    reason: 'invalid_network',
    message: 'accepted: expected the network and the asset of one of the ways to pay that were offered',
  })
}

/** Checks a payment as far as it can be without an order, so that only one that the chain would make creates an order. */
const readBid = async (deps: Deps, request: FoundRequest, payment: PaymentPayload): Promise<Bid> => {
  const { collection, templateId } = request
  const orderId = payment.accepted.extra?.orderId
  if (typeof orderId !== 'string' || !isUuid(orderId)) {
    const message = 'accepted.extra.orderId: expected the id that was offered'
    return refuseAuthorization({ reason: 'invalid_payment_requirements', message })
  }
  const prices = await priceCollection(deps, collection, { orderId, templateId })
  const { price, network } = await findPrice(prices, payment)
  const body = readSignedTransfer(payment, network)
  const { chain, currency, units } = price
  const port = chain.authorizations
  if (!port) throw new Error(`${chain.chain} takes no authorizations`)
  const deadlineMs = deps.now() + deps.config.quoteTtlMs
  const read = await port.read({ orderId, currency, units, deadlineMs, isChosen: true }, body, deps.now())
  if ('refused' in read) return refuseAuthorization(read.refused)
  const simulated = await port.simulate({ orderId, currency, units, authorization: read.authorization })
  if (simulated.status === 'refused') return refuseAuthorization(simulated)
  return { orderId, payer: body.payerAddress, price, network }
}

const readKnown = async (
  { db }: Pick<Deps, 'db'>,
  { collection, templateId }: FoundRequest,
  { orderId, payer }: { orderId: string; payer: string },
): Promise<OrderState | undefined> => {
  const order = (await readOrder(db, orderId))?.order
  if (!order) return undefined
  const [item] = order.lineItems
  const isSame =
    order.projectId === collection.projectId &&
    item?.collectionId === collection.id &&
    item.templateId === templateId &&
    order.payment.payerAddress?.toLowerCase() === payer.toLowerCase()
  if (isSame) return order
  return refuseAuthorization({
    reason: 'invalid_payment_requirements',
    message: 'accepted.extra.orderId: this order is another one: ask for the price again',
  })
}

/** Makes the order of a payment. The rules of the sale may refuse it, and then nothing is paid. */
const createFor = async (deps: Deps, request: FoundRequest, bid: Bid): Promise<OrderState> => {
  const { collection, templateId, client } = request
  const { projectId, id } = collection
  const { orderId, payer, price } = bid
  const goods = [deps.config.namespace, id, ...(templateId === undefined ? [] : [templateId])]
  const body = parseInput(
    CreateOrderBody,
    {
      recipient: { walletAddress: payer },
      payment: { method: price.chain.chain, currency: price.currency, payerAddress: payer },
      lineItems: { collectionLocator: goods.join(':') },
    },
    'order',
  )
  // A stranger buys, as with a public key.
  const actor = { kind: 'client-key', keyId: 'x402', projectId, scopes: ['orders.create'] } as const
  await createOrderAs(deps, { actor, client, complete: async () => {} }, { orderId, body })
  const made = await readKnown(deps, request, bid)
  if (!made) throw new Error('the order was not stored')
  if (made.phase !== 'payment') throw new ServiceError('conflict', explainUnpayable(made))
  return made
}

/** Finds the order of a payment that was brought before, or makes it. */
const findOrMake = (deps: Deps, request: FoundRequest, payment: PaymentPayload): Promise<OrderState> => {
  const named = payment.accepted.extra?.orderId
  const orderId = typeof named === 'string' ? named.toLowerCase() : ''
  // Of the same payment twice at once, the second finds the order of the first.
  return withMutex(`x402 ${orderId}`, async () => {
    const known = isUuid(orderId)
      ? await readKnown(deps, request, { orderId, payer: payerIn(payment) })
      : undefined
    if (known) return known
    const bid = await readBid(deps, request, payment)
    return createFor(deps, request, bid).catch(async (error: unknown) => {
      // Another process may have made it.
      const made = await readKnown(deps, request, bid)
      if (made?.phase === 'payment') return made
      throw error
    })
  })
}

/**
 * Sells one token of a collection to whoever pays for it by x402, in one exchange: it makes an order for the payer, has the
 * payment settled, and delivers to the payer's wallet. What it costs is answered without an order.
 *
 * @throws {@link ServiceError} `not-found`, `input-invalid`, `rate-limited`; `conflict` with the reason why the sale refuses
 * the buyer; `chain-unavailable`, `timeout`.
 * @source answers.md "Revised a third time"
 */
export const payCollection = async (deps: Deps, asked: CollectionRequest): Promise<X402Reply> => {
  const { payment, admit } = asked
  const collection = await findSoldCollection(deps, asked)
  await admit(collection.projectId)
  const request = { ...asked, collection }
  if (!payment) return ask(deps, request, 'PAYMENT-SIGNATURE header is required')
  const askAgain = (error: string) => ask(deps, request, error)
  let order: OrderState
  try {
    order = await findOrMake(deps, request, payment)
  } catch (error) {
    const place = { network: payment.accepted.network, payer: payerIn(payment) }
    return refusePayment(toRefused(error, place), askAgain)
  }
  const settled = await bringPayment(deps, order, payment)
  if (settled.success) return showOrder(deps, order.orderId, settlementHeader(settled))
  return refusePayment(settled, askAgain)
}
