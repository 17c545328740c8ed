import { roundUpCharges } from '../../schema/price.js'
import type { RecipientInput } from '../../schema/recipient.js'
import { convertPrice, isSameDecimal, multiply } from './convertPrice.js'
import { badInput, HttpError } from './httpError.js'
import { preparePayment } from './preparePayment.js'
import { readAddress } from './readOrderInput.js'
import type { StockedCollection, TestCollection } from './testCollection.js'
import type { AskedItem, TestItem, TestOrder, TestTerms } from './testOrder.js'
import type { TestWorld } from './testWorld.js'

type Goods = { collection: StockedCollection; template: Pick<TestCollection, 'name' | 'supply'> | undefined }

const find = (
  { collections }: TestWorld,
  { collectionId, templateId }: AskedItem,
): Goods & { metadata: TestItem['metadata'] } => {
  const collection = collections.get(collectionId)
  if (!collection) throw new HttpError(404, `Collection ${collectionId} not found`)
  const template = templateId === undefined ? undefined : collection.templates?.[templateId]
  if (templateId !== undefined && !template) throw new HttpError(404, `Template ${templateId} not found`)
  const { name, description, imageUrl } = { ...collection, ...template }
  return { collection, template, metadata: { name, description, imageUrl } }
}

/**
 * Holds the price that a buyer says against today's.
 *
 * @throws HttpError naming both amounts.
 */
export const checkTotalPrices = (world: TestWorld, items: readonly AskedItem[]): void => {
  for (const [index, item] of items.entries()) {
    const { price, currency } = find(world, item).collection
    const given = item.callData.totalPrice
    if (typeof given !== 'string' || price === undefined) continue
    const expected = multiply(price, item.quantity)
    if (isSameDecimal(given, expected)) continue
    throw badInput(
      `lineItems[${index}].callData.totalPrice: expected ${expected} ${currency} (${price} × ${item.quantity}), got ${given}`,
    )
  }
}

type Unavailable = { code: string; message: string }

/** Line items of one collection draw on one supply, in their order: the shortest decides. */
const takeSupply = (
  left: Map<string, number>,
  { collection, template }: Goods,
  item: AskedItem,
): Unavailable | undefined => {
  const count = (key: string, supply: number | undefined): number =>
    left.get(`${collection.id} ${key}`) ??
    (collection.isSoldOut ? 0 : (supply ?? Number.POSITIVE_INFINITY) - (collection.sold.get(key) ?? 0))
  const supplies = [
    { key: '', name: collection.name, count: count('', collection.supply) },
    ...(template && item.templateId !== undefined
      ? [
          {
            key: item.templateId,
            name: template.name ?? collection.name,
            count: count(item.templateId, template.supply),
          },
        ]
      : []),
  ].sort((one, other) => one.count - other.count)
  const [shortest] = supplies
  if (shortest && shortest.count <= 0) return { code: 'sold-out', message: `${shortest.name} is sold out` }
  if (shortest && shortest.count < item.quantity) {
    return { code: 'supply-insufficient', message: `only ${shortest.count} of ${shortest.name} are left` }
  }
  for (const supply of supplies) left.set(`${collection.id} ${supply.key}`, supply.count - item.quantity)
  return undefined
}

const quoteItem = (
  world: TestWorld,
  asked: AskedItem,
  order: { recipient: RecipientInput | undefined; payment: TestTerms },
  left: Map<string, number>,
): TestItem => {
  const { metadata, ...goods } = find(world, asked)
  const { collection } = goods
  const { price, currency, chain } = collection
  const walletAddress = order.recipient?.walletAddress
  const units =
    price === undefined ? undefined : convertPrice(multiply(price, asked.quantity), currency, order.payment)
  const unavailable: Unavailable | undefined = !world.enabled.includes(chain)
    ? { code: 'chain-not-enabled', message: `${chain} is not enabled on this service` }
    : price === undefined
      ? { code: 'payments-not-enabled', message: `${collection.name} is not for sale` }
      : units === undefined
        ? {
            code: 'currency-not-convertible',
            message: `no exchange rate from ${currency} to ${order.payment.currency}`,
          }
        : takeSupply(left, goods, asked)
  return {
    collectionId: asked.collectionId,
    templateId: asked.templateId,
    quantity: asked.quantity,
    callData: asked.callData,
    chain,
    metadata,
    requires: collection.requires,
    quote: unavailable
      ? { status: 'item-unavailable', unavailabilityReason: unavailable }
      : order.recipient && units !== undefined
        ? { status: 'valid', totalUnits: units }
        : { status: 'requires-recipient' },
    delivery: {
      status: 'awaiting-payment',
      ...(walletAddress !== undefined &&
        world.enabled.includes(chain) && {
          walletAddress: readAddress(walletAddress, 'recipient.walletAddress', chain),
        }),
    },
  }
}

/** What is asked for, before it has a price. */
export type AskedTerms = Pick<
  TestOrder,
  'orderId' | 'locale' | 'metadata' | 'gift' | 'clientSecret' | 'createdAtMs'
> & {
  recipient: RecipientInput | undefined
  payment: TestTerms
  items: readonly AskedItem[]
}

/** Prices what is asked for, and prepares its payment. */
export const quoteTestOrder = (world: TestWorld, asked: AskedTerms): TestOrder => {
  const left = new Map<string, number>()
  const exact = asked.items.map((item) => quoteItem(world, item, asked, left))
  const rounded = roundUpCharges(
    exact.map(({ quote }) => (quote.totalUnits === undefined ? [] : [quote.totalUnits])),
    asked.payment.decimals,
  )
  const items = exact.map((item, at): TestItem => {
    const [totalUnits] = rounded[at] ?? []
    return totalUnits === undefined ? item : { ...item, quote: { ...item.quote, totalUnits } }
  })
  const quotedAtMs = world.now()
  const unquoted: TestOrder = {
    ...asked,
    items,
    phase: 'quote',
    quote: { status: 'requires-recipient', quotedAtMs },
    payment: { ...asked.payment, status: 'requires-quote' },
    payments: [],
    refunds: [],
  }
  if (items.every(({ quote }) => quote.status === 'item-unavailable')) {
    return { ...unquoted, quote: { status: 'all-line-items-unavailable', quotedAtMs } }
  }
  if (!asked.recipient) return unquoted
  const { physicalAddress } = asked.recipient
  const priced = items.filter(({ quote }) => quote.status === 'valid')
  if (!physicalAddress && priced.some(({ requires }) => requires?.includes('physical-address'))) {
    for (const item of priced) item.quote = { status: 'requires-recipient' }
    return { ...unquoted, quote: { status: 'requires-physical-address', quotedAtMs } }
  }
  const totalUnits = items.reduce((sum, { quote }) => sum + (quote.totalUnits ?? 0n), 0n)
  const expiresAtMs = quotedAtMs + world.quoteTtlMs
  const quoted: TestOrder = {
    ...unquoted,
    phase: 'payment',
    quote: { status: 'valid', quotedAtMs, expiresAtMs, totalUnits },
  }
  return { ...quoted, payment: { ...asked.payment, ...preparePayment(world, quoted) } }
}
