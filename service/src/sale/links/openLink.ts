import { eq } from 'drizzle-orm'
import { readLineItems } from 'kassa/engine'
import type { CreateOrderAnswer, ParsedCreateOrderBody, PaymentLink } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { type LinkItem, type PaymentLinkRow, paymentLinks, projects } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError } from '#base/errors.js'
import { requireCollection } from '#goods/collections/findCollection.js'
import { findKeptTemplate } from '#goods/templates/findTemplate.js'
import { createOrder } from '../orders/createOrder.js'
import { countUses, explainClosed } from '../orders/linkUses.js'
import { choosePayment } from './choosePayment.js'
import { isOwnPage } from './linkTerms.js'
import { isLinkId, noLink } from './readLinks.js'
import { statusOf } from './viewLink.js'

/** A line item as a payment link's page shows it before there is an order. */
export type ShownItem = {
  name: string
  description: string
  imageUrl: string
  quantity: number
  /** Of one. @units decimal string in whole units of `currency` */
  price?: { amount: string; currency: string }
}

/** What a payment link's page shows to strangers. */
export type OpenedLink = {
  status: PaymentLink['status']
  title: string
  shop: string
  environment: 'staging' | 'production'
  isSandbox: boolean
  lineItems: ShownItem[]
  maxQuantity?: number
  successUrl?: string
  /** The chains that orders may be paid on. */
  chains: readonly string[]
}

/**
 * Finds a payment link by its id alone.
 *
 * @throws {@link ServiceError} `not-found`.
 */
export const requireLink = async ({ db }: Pick<Deps, 'db'>, id: string): Promise<PaymentLinkRow> => {
  const [link] = isLinkId(id) ? await db.select().from(paymentLinks).where(eq(paymentLinks.id, id)) : []
  if (!link) throw noLink()
  return link
}

const showItem = async (deps: Deps, projectId: string, item: LinkItem): Promise<ShownItem> => {
  const [asked] = checkInput(() => readLineItems(deps.config.namespace, [item]))
  const collectionId = asked?.collectionId ?? ''
  const { name, description, imageUrl, price, priceCurrency } = await requireCollection(
    deps.db,
    projectId,
    collectionId,
  )
  const templateId = asked?.templateId
  const template =
    templateId === undefined
      ? undefined
      : await findKeptTemplate(deps.db, { projectId, collectionId, templateId })
  const { metadata } = template ?? {}
  return {
    name: metadata?.name ?? name,
    description: metadata?.description ?? description,
    imageUrl: metadata?.image ?? imageUrl,
    quantity: item.quantity,
    ...(price !== null && priceCurrency !== null && { price: { amount: price, currency: priceCurrency } }),
  }
}

/** Returns what a payment link's page shows. */
export const openLink = async (deps: Deps, link: PaymentLinkRow): Promise<OpenedLink> => {
  const { db, config } = deps
  const { projectId, maxQuantity, successUrl } = link
  const nowMs = deps.now()
  const uses = (await countUses(db, { ids: [link.id], nowMs })).get(link.id)
  const [project] = await db.select().from(projects).where(eq(projects.id, projectId))
  const lineItems = await Promise.all(link.lineItems.map((item) => showItem(deps, projectId, item)))
  const isOwn = successUrl !== null && (await isOwnPage(deps, projectId, successUrl))
  return {
    status: statusOf(link, uses, nowMs),
    title: link.title ?? lineItems[0]?.name ?? '',
    shop: project?.displayName ?? project?.name ?? '',
    environment: config.environment,
    isSandbox: config.isSandbox,
    lineItems,
    ...(maxQuantity !== null && { maxQuantity }),
    ...(isOwn && { successUrl }),
    chains: deps.chains.enabled,
  }
}

/** What a buyer decides on the page of a payment link. */
export type LinkOrder = Pick<ParsedCreateOrderBody, 'recipient' | 'locale'> & {
  quantity?: number | undefined
}

const withQuantity = (
  { lineItems, maxQuantity }: PaymentLinkRow,
  quantity: number | undefined,
): LinkItem[] => {
  if (quantity === undefined) return lineItems
  const [only] = lineItems
  if (maxQuantity === null || !only) {
    throw new ServiceError('input-invalid', 'quantity: this payment link fixes the number, so leave it out')
  }
  if (quantity > maxQuantity) {
    throw new ServiceError('input-invalid', `quantity: expected ${maxQuantity} or fewer`)
  }
  return [{ ...only, quantity }]
}

/**
 * Creates an order of a payment link for a stranger who knows its id.
 *
 * @throws {@link ServiceError} `not-found`, `input-invalid`, `conflict` if the link takes no order, …
 */
export const orderByLink = async (
  deps: Deps,
  { link, client }: { link: PaymentLinkRow; client: Call['client'] },
  { quantity, recipient, locale }: LinkOrder,
): Promise<CreateOrderAnswer> => {
  const { projectId } = link
  const lineItems = withQuantity(link, quantity)
  const closed = explainClosed(link, deps.now())
  if (closed !== undefined) throw new ServiceError('conflict', closed)
  const [first] = checkInput(() => readLineItems(deps.config.namespace, lineItems))
  const collection = await requireCollection(deps.db, projectId, first?.collectionId ?? '')
  const payment = link.payment ?? (await choosePayment(deps, collection))
  // It may do what a client key may, which is public too.
  const actor = {
    kind: 'client-key' as const,
    keyId: link.id,
    projectId,
    scopes: ['orders.create' as const],
  }
  return createOrder(
    deps,
    { actor, client, complete: async () => {} },
    {
      lineItems,
      // The cast is deliberate: the deployment's own names of chains are those of the interface.
      payment: payment as ParsedCreateOrderBody['payment'],
      paymentLinkId: link.id,
      ...(recipient && { recipient }),
      ...(locale !== undefined && { locale }),
    },
  )
}
