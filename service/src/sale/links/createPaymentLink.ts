import { readLineItems } from 'kassa/engine'
import type { ParsedCreatePaymentLinkBody, PaymentInput, PaymentLink } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { type LinkItem, type PaymentLinkRow, paymentLinks } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import { requireCollection } from '#goods/collections/findCollection.js'
import { requireServerScope } from '#identity/authorize.js'
import { findGoods } from '../orders/findLineItems.js'
import { readPaymentTerms } from '../orders/readPaymentTerms.js'
import { readOrder } from '../orders/store.js'
import { choosePayment } from './choosePayment.js'
import { readEnd, readSuccessUrl } from './linkTerms.js'
import { viewLink } from './viewLink.js'

/** What creating a payment link needs. */
export type LinkDeps = Pick<Deps, 'db' | 'chains' | 'config' | 'log' | 'notices' | 'now' | 'randomBytes'>

const invalid = (message: string) => new ServiceError('input-invalid', message)

/** The price of the day counts, so a line item of a link keeps no price. */
const withoutTotal = (
  { totalPrice, quantity: _, ...callData }: Record<string, unknown>,
  at: number,
): Record<string, unknown> => {
  if (totalPrice === undefined) return callData
  throw invalid(
    `lineItems[${at}].callData.totalPrice: a payment link sells at the price of the day, so leave it out`,
  )
}

const toItem = (
  { namespace }: LinkDeps['config'],
  item: { collectionId: string; templateId?: string; quantity: number; callData: Record<string, unknown> },
): LinkItem => ({
  collectionLocator: [namespace, item.collectionId, item.templateId].filter(Boolean).join(':'),
  quantity: item.quantity,
  ...(Object.keys(item.callData).length && { callData: item.callData }),
})

/** Returns what an order bought, to buy it again. */
const readOrderItems = async (
  { db, config }: LinkDeps,
  projectId: string,
  orderId: string,
): Promise<LinkItem[]> => {
  const read = await readOrder(db, orderId, projectId)
  if (!read) throw new ServiceError('not-found', 'Order not found')
  return read.order.lineItems.map((item) => {
    const { totalPrice: _, quantity: __, ...callData } = item.callData
    return toItem(config, { ...item, callData })
  })
}

const readItems = async (
  deps: LinkDeps,
  projectId: string,
  { lineItems, orderId }: ParsedCreatePaymentLinkBody,
): Promise<LinkItem[]> => {
  if (orderId !== undefined) return readOrderItems(deps, projectId, orderId)
  const items = checkInput(() => readLineItems(deps.config.namespace, lineItems ?? []))
  return items.map((item, at) => toItem(deps.config, { ...item, callData: withoutTotal(item.callData, at) }))
}

const assertQuantity = (items: readonly LinkItem[], maxQuantity: number | undefined): void => {
  if (maxQuantity === undefined) return
  const [item, ...others] = items
  if (!item || others.length) throw invalid('maxQuantity: only a link with one line item can have it')
  if (maxQuantity < item.quantity) {
    throw invalid(`maxQuantity: expected ${item.quantity} or more, the quantity of the line item`)
  }
}

/** Asserts that the items are on sale, and that the link's way to pay is one that their orders may have. */
const assertSold = async (
  deps: LinkDeps,
  projectId: string,
  { items, payment: given }: { items: readonly LinkItem[]; payment: PaymentInput | undefined },
): Promise<void> => {
  const asked = checkInput(() => readLineItems(deps.config.namespace, items))
  const [first] = asked
  if (!first) throw invalid('lineItems: expected at least 1 line item')
  const collection = await requireCollection(deps.db, projectId, first.collectionId)
  const payment = readPaymentTerms(deps, given ?? ((await choosePayment(deps, collection)) as PaymentInput))
  const goods = await findGoods(deps, { projectId, items: asked, recipient: undefined, payment }, true)
  for (const [at, { collection }] of goods.entries()) {
    if (collection.price !== null) continue
    throw invalid(
      `lineItems[${at}].collectionLocator: ${collection.name} has no price, so it is not for sale`,
    )
  }
}

/** Creates an id that cannot be guessed. It is short enough to be printed. */
const createLinkId = (randomBytes: Deps['randomBytes']): string =>
  `pl_${Buffer.from(randomBytes(18)).toString('base64url')}`

/**
 * Creates a payment link.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `not-found`, `unprocessable`.
 */
export const createPaymentLink = async (
  deps: LinkDeps,
  { actor, complete }: Call,
  body: ParsedCreatePaymentLinkBody,
): Promise<PaymentLink> => {
  requireServerScope(actor, 'orders.create')
  const { projectId } = actor
  const items = await readItems(deps, projectId, body)
  assertQuantity(items, body.maxQuantity)
  const expiresAt = body.expiresAt === undefined ? null : readEnd(deps, body.expiresAt)
  const successUrl =
    body.successUrl === undefined ? null : await readSuccessUrl(deps, projectId, body.successUrl)
  await assertSold(deps, projectId, { items, payment: body.payment })
  const nowMs = deps.now()
  const link: PaymentLinkRow = {
    id: createLinkId(deps.randomBytes),
    projectId,
    title: body.title ?? null,
    lineItems: items,
    maxQuantity: body.maxQuantity ?? null,
    payment: body.payment ?? null,
    maxUses: body.maxUses ?? null,
    expiresAt,
    successUrl,
    deactivatedAt: null,
    createdAt: new Date(nowMs),
  }
  const view = viewLink(deps.config, link, { nowMs })
  await deps.db.transaction(async (tx) => {
    await tx.insert(paymentLinks).values(link)
    await complete(tx, { status: 201, body: view })
  })
  return view
}
