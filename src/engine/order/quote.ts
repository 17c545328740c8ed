import type { BuyerDetail } from '../../schema/orderMembers.js'
import { roundUpCharges } from '../../schema/price.js'
import { basisPoints, convertUp, getRate, multiplyDecimal } from './convert.js'
import type {
  LineItemCharges,
  LineItemState,
  OrderState,
  PaymentTerms,
  Recipient,
  Unavailability,
} from './order.js'

/** A collection as pricing needs it. */
export type PricedCollection = {
  id: string
  chain: string
  name: string
  description: string
  imageUrl: string
  /** @units decimal string in whole units of `priceCurrency`; null while it is not for sale. */
  price: string | null
  priceCurrency: string | null
  /** The currencies that pay for it; null and undefined mean all that the deployment accepts. */
  currencies?: readonly string[] | null
  /** How many tokens can still be sold; undefined means no limit. */
  availableCount: number | undefined
  isChainEnabled: boolean
  /** The buyer's details that an order needs before it can be paid. */
  requires: readonly BuyerDetail[]
}

/** A template of a collection as pricing needs it. Its tokens have the collection's price. */
export type PricedTemplate = Pick<
  PricedCollection,
  'id' | 'name' | 'description' | 'imageUrl' | 'availableCount'
>

/** A line item before it has a price. */
export type LineItemRequest = {
  collection: PricedCollection
  template?: PricedTemplate
  /** The recipient of its proceeds; absent for the treasury. */
  payee?: string
  quantity: number
  callData: Record<string, unknown>
  /** The recipient's wallet in the canonical form of the collection's chain. */
  walletAddress?: string
}

/** The requested items, their recipient and how they will be paid. */
export type QuoteInput = {
  items: readonly LineItemRequest[]
  recipient: Recipient | undefined
  payment: PaymentTerms
  nowMs: number
}

/** What pricing depends on: the current rates, and part of the configuration. */
export type QuoteConfig = {
  /** How long a price is valid. @units milliseconds */
  quoteTtlMs: number
  /** The sales tax. @units hundredths of a percent */
  salesTaxBasisPoints: number
  /** The shipping of each line item, once the order has a shipping address. @units decimal string in US dollars */
  shippingUsd: string
  /** The value of one whole unit of each currency. @units decimal strings in US dollars */
  rates: Readonly<Record<string, string>>
}

const refuse = (code: Unavailability['code'], message: string): Unavailability => ({ code, message })

const priceItem = (
  { collection, quantity }: LineItemRequest,
  { recipient, payment }: QuoteInput,
  config: QuoteConfig,
): { charges: LineItemCharges } | { unavailabilityReason: Unavailability } => {
  const { price, priceCurrency } = collection
  const ship = recipient?.physicalAddress ? config.shippingUsd : '0'
  if (!collection.isChainEnabled) {
    const message = `${collection.chain} is not enabled on this service`
    return { unavailabilityReason: refuse('chain-not-enabled', message) }
  }
  if (price === null || priceCurrency === null) {
    return { unavailabilityReason: refuse('payments-not-enabled', `${collection.name} is not for sale`) }
  }
  const unit = convertUp(multiplyDecimal(price, quantity), priceCurrency, payment, config.rates)
  const shipping = /^0(\.0+)?$/.test(ship) ? 0n : convertUp(ship, 'usd', payment, config.rates)
  if (unit === undefined || shipping === undefined) {
    const message = `no exchange rate from ${priceCurrency} to ${payment.currency}`
    return { unavailabilityReason: refuse('currency-not-convertible', message) }
  }
  const salesTax = basisPoints(unit, config.salesTaxBasisPoints)
  return {
    charges: {
      unitUnits: `${unit}`,
      salesTaxUnits: `${salesTax}`,
      shippingUnits: `${shipping}`,
      totalUnits: `${unit + salesTax + shipping}`,
    },
  }
}

/**
 * Takes a line item's quantity from the supplies of its collection and its template, which line items share
 * in their order. The smallest supply decides.
 */
const takeSupply = (left: Map<string, number>, { collection, template, quantity }: LineItemRequest) => {
  const supplies = [
    { ...collection, key: `collection ${collection.id}` },
    ...(template ? [{ ...template, key: `template ${template.id}` }] : []),
  ]
    .flatMap(({ key, name, availableCount }) =>
      availableCount === undefined ? [] : [{ key, name, count: left.get(key) ?? availableCount }],
    )
    .sort((one, other) => one.count - other.count)
  const [shortest] = supplies
  if (shortest && shortest.count <= 0) return refuse('sold-out', `${shortest.name} is sold out`)
  if (shortest && shortest.count < quantity) {
    return refuse('supply-insufficient', `only ${shortest.count} of ${shortest.name} are left`)
  }
  for (const { key, count } of supplies) left.set(key, count - quantity)
  return undefined
}

const quoteItem = (
  item: LineItemRequest,
  input: QuoteInput,
  config: QuoteConfig,
  left: Map<string, number>,
): LineItemState => {
  const { collection, template, payee, quantity, callData, walletAddress } = item
  const { name, description, imageUrl } = template ?? collection
  const priced = priceItem(item, input, config)
  const unavailabilityReason =
    'unavailabilityReason' in priced ? priced.unavailabilityReason : takeSupply(left, item)
  const charges = 'charges' in priced ? priced.charges : undefined
  const quote: LineItemState['quote'] = unavailabilityReason
    ? { status: 'item-unavailable', unavailabilityReason }
    : input.recipient && charges
      ? { status: 'valid', charges, ...(payee !== undefined && { payee }) }
      : { status: 'requires-recipient' }
  return {
    collectionId: collection.id,
    ...(template && { templateId: template.id }),
    ...(collection.requires.length && { requires: collection.requires }),
    chain: collection.chain,
    quantity,
    callData: { ...callData, quantity },
    metadata: { name, description, imageUrl },
    quote,
    delivery: { status: 'awaiting-payment', ...(walletAddress !== undefined && { walletAddress }) },
  }
}

/** Rounds the charges of all line items up to the number of digits that a price may have. */
const roundItems = (lineItems: readonly LineItemState[], { decimals }: PaymentTerms): LineItemState[] => {
  const exact = lineItems.map(({ quote: { charges } }) =>
    charges ? [charges.unitUnits, charges.salesTaxUnits, charges.shippingUnits].map(BigInt) : [],
  )
  const rounded = roundUpCharges(exact, decimals)
  return lineItems.map((item, at) => {
    const [unit, salesTax, shipping] = rounded[at] ?? []
    if (unit === undefined || salesTax === undefined || shipping === undefined) return item
    const charges: LineItemCharges = {
      unitUnits: `${unit}`,
      salesTaxUnits: `${salesTax}`,
      shippingUnits: `${shipping}`,
      totalUnits: `${unit + salesTax + shipping}`,
    }
    return { ...item, quote: { ...item.quote, charges } }
  })
}

/** Whether an available item requires a shipping address and the order has none. */
const lacksAddress = (items: readonly LineItemState[], recipient: Recipient | undefined): boolean =>
  recipient !== undefined &&
  !recipient.physicalAddress &&
  items.some(
    ({ quote, requires }) =>
      quote.status !== 'item-unavailable' && requires?.includes('physical-address') === true,
  )

/** Shipping is part of the price, so there is no price before there is an address. */
const withoutPrice = (item: LineItemState): LineItemState =>
  item.quote.status === 'valid' ? { ...item, quote: { status: 'requires-recipient' } } : item

/**
 * Prices an order: each line item in the payment currency, rounded up to six significant digits if the
 * currency has more decimals than that, and their sum. Unavailable line items cost nothing.
 *
 * @source answers.md "Order states"
 */
export const quoteOrder = (
  input: QuoteInput,
  config: QuoteConfig,
): Pick<OrderState, 'lineItems' | 'quote'> => {
  const left = new Map<string, number>()
  const exact = input.items.map((item) => quoteItem(item, input, config, left))
  const lineItems = roundItems(exact, input.payment)
  const { nowMs } = input
  if (lineItems.every(({ quote }) => quote.status === 'item-unavailable')) {
    return { lineItems, quote: { status: 'all-line-items-unavailable', quotedAtMs: nowMs } }
  }
  if (!input.recipient) return { lineItems, quote: { status: 'requires-recipient', quotedAtMs: nowMs } }
  if (lacksAddress(lineItems, input.recipient)) {
    return {
      lineItems: lineItems.map(withoutPrice),
      quote: { status: 'requires-physical-address', quotedAtMs: nowMs },
    }
  }
  const total = lineItems.reduce((sum, { quote }) => sum + BigInt(quote.charges?.totalUnits ?? 0), 0n)
  const usdRate = getRate(config.rates, input.payment.currency)
  return {
    lineItems,
    quote: {
      status: 'valid',
      quotedAtMs: nowMs,
      expiresAtMs: nowMs + config.quoteTtlMs,
      totalUnits: `${total}`,
      ...(usdRate !== undefined && { usdRate }),
    },
  }
}
