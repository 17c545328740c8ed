import type { PromotionStatus } from '../../schema/orderMembers.js'
import { type ExactCharge, roundUpCharges } from '../../schema/price.js'
import { basisPoints, convertUp, getRate, multiplyDecimal } from './convert.js'
import type { LineItemCharges, LineItemState, OrderState, Recipient, Unavailability } from './order.js'
import { type LineItemRequest, type QuoteConfig, type QuoteInput, refuse } from './quoteInput.js'
import {
  type Allowed,
  bestOf,
  countDown,
  findEnd,
  findPromoted,
  listRequired,
  takeAllowance,
} from './quoteSale.js'
import { discountOf, findClosed, limitOfPromotion, type Promotion, viewSale } from './sale.js'

/** What line items of an order are quoted with. Supplies and limits that they share are taken from what is left. */
type Quoting = { input: QuoteInput; config: QuoteConfig; left: Map<string, number> }

const priceItem = (
  { collection, quantity, refusal }: LineItemRequest,
  { input: { recipient, payment, nowMs }, config }: Quoting,
  promotion: Promotion | undefined,
): { charges: LineItemCharges } | { unavailabilityReason: Unavailability } => {
  const { price, priceCurrency, sale } = collection
  const ship = recipient?.physicalAddress ? config.shippingUsd : '0'
  if (!collection.isChainEnabled) {
    const message = `${collection.chain} is not enabled on this service`
    return { unavailabilityReason: refuse('chain-not-enabled', message) }
  }
  if (price === null || priceCurrency === null) {
    return { unavailabilityReason: refuse('payments-not-enabled', `${collection.name} is not for sale`) }
  }
  const closed = sale && findClosed(sale, collection.name, nowMs)
  if (closed) return { unavailabilityReason: closed }
  if (refusal !== undefined) return { unavailabilityReason: refuse('recipient-refuses', refusal) }
  const unit = convertUp(multiplyDecimal(price, quantity), priceCurrency, payment, config.rates)
  const shipping = /^0(\.0+)?$/.test(ship) ? 0n : convertUp(ship, 'usd', payment, config.rates)
  const discount =
    promotion && unit !== undefined
      ? discountOf(promotion, { unit, currency: priceCurrency, payment }, config.rates)
      : 0n
  if (unit === undefined || shipping === undefined || discount === undefined) {
    const message = `no exchange rate from ${priceCurrency} to ${payment.currency}`
    return { unavailabilityReason: refuse('currency-not-convertible', message) }
  }
  const salesTax = basisPoints(unit - discount, config.salesTaxBasisPoints)
  return {
    charges: {
      unitUnits: `${unit}`,
      salesTaxUnits: `${salesTax}`,
      shippingUnits: `${shipping}`,
      ...(promotion && { discountUnits: `${discount}` }),
      totalUnits: `${unit - discount + salesTax + shipping}`,
    },
  }
}

/** How many a line item can have, and why that is too few. */
type Supply = { available?: number; shortage?: Unavailability }

/**
 * Takes a line item's quantity from the supplies of its collection and its template, which line items share
 * in their order. The smallest supply decides.
 */
const takeSupply = (
  left: Map<string, number>,
  { collection, template, quantity }: LineItemRequest,
): Supply => {
  const supplies = [
    { ...collection, key: `collection ${collection.id}` },
    ...(template ? [{ ...template, key: `template ${template.id}` }] : []),
  ]
    .flatMap(({ key, name, availableCount }) =>
      availableCount === undefined ? [] : [{ key, name, count: left.get(key) ?? availableCount }],
    )
    .sort((one, other) => one.count - other.count)
  const [shortest] = supplies
  if (!shortest) return {}
  const { name, count } = shortest
  const available = Math.max(0, count)
  if (available === 0) return { available, shortage: refuse('sold-out', `${name} is sold out`) }
  if (available < quantity) {
    return { available, shortage: refuse('supply-insufficient', `only ${count} of ${name} are left`) }
  }
  for (const supply of supplies) left.set(supply.key, supply.count - quantity)
  return { available }
}

/** A line item's quote, until when its sale offers it, and what became of the promotion code. */
type QuotedItem = { state: LineItemState; endsAtMs?: number; promotion?: PromotionStatus | undefined }

/** Prices a line item with the order's promotion code. */
const pricePromoted = (item: LineItemRequest, quoting: Quoting) => {
  const promoted = findPromoted(quoting.left, item, quoting.input)
  return { ...promoted, priced: priceItem(item, quoting, promoted.promotion) }
}

const quoteItem = (item: LineItemRequest, quoting: Quoting): QuotedItem => {
  const { input, left } = quoting
  const { collection, template, payee, quantity, callData, walletAddress } = item
  const { name, description, imageUrl } = template ?? collection
  const { promotion, status, priced } = pricePromoted(item, quoting)
  const allowed: Allowed = 'charges' in priced ? takeAllowance(left, item, input) : { limits: [] }
  const { available, shortage }: Supply = 'charges' in priced && !allowed.excess ? takeSupply(left, item) : {}
  const unavailabilityReason =
    'charges' in priced ? (allowed.excess ?? shortage) : priced.unavailabilityReason
  const charges = 'charges' in priced ? priced.charges : undefined
  const limits = [...allowed.limits, ...(promotion ? limitOfPromotion(promotion) : [])]
  if (!unavailabilityReason) {
    countDown(left, item, allowed.limits, quantity)
    if (promotion) countDown(left, item, limitOfPromotion(promotion), 1)
  }
  const requires = listRequired(item, input)
  const quote: LineItemState['quote'] = {
    ...(unavailabilityReason
      ? { status: 'item-unavailable', unavailabilityReason }
      : {
          status: 'valid',
          ...(charges && { charges }),
          ...(payee !== undefined && { payee }),
          ...(limits.length && { limits }),
        }),
    ...(available !== undefined && { available }),
    ...(allowed.allowance && { allowance: allowed.allowance }),
    ...(collection.sale && { sale: viewSale(collection.sale, input.nowMs) }),
  }
  return {
    state: {
      collectionId: collection.id,
      ...(template && { templateId: template.id }),
      ...(requires.length && { requires }),
      chain: collection.chain,
      quantity,
      callData: { ...callData, quantity },
      metadata: { name, description, imageUrl },
      quote,
      delivery: { status: 'awaiting-payment', ...(walletAddress !== undefined && { walletAddress }) },
    },
    ...findEnd(item, promotion, input.nowMs),
    promotion: status,
  }
}

/** Rounds the charges of all line items up to the number of digits that a price may have. */
const roundItems = (lineItems: readonly LineItemState[], { items, payment }: QuoteInput): LineItemState[] => {
  const exact = lineItems.map(({ quote: { charges } }, at): ExactCharge[] => {
    if (!charges) return []
    const isGiven = items[at]?.collection.priceCurrency === payment.currency
    const discount = BigInt(charges.discountUnits ?? 0)
    return [
      { units: BigInt(charges.unitUnits) - discount, isGiven },
      { units: BigInt(charges.salesTaxUnits) },
      { units: BigInt(charges.shippingUnits) },
      ...(charges.discountUnits === undefined ? [] : [{ units: discount, isGiven }]),
    ]
  })
  const rounded = roundUpCharges(exact, payment.decimals)
  return lineItems.map((item, at) => {
    const [net, salesTax, shipping, discount] = rounded[at] ?? []
    if (net === undefined || salesTax === undefined || shipping === undefined) return item
    const charges: LineItemCharges = {
      unitUnits: `${net + (discount ?? 0n)}`,
      salesTaxUnits: `${salesTax}`,
      shippingUnits: `${shipping}`,
      ...(discount !== undefined && { discountUnits: `${discount}` }),
      totalUnits: `${net + salesTax + shipping}`,
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

/**
 * Shipping is part of the price, so there is no price before it is known who gets the goods, and where. What the
 * goods cost is told.
 */
const withoutPrice = (item: LineItemState): LineItemState => {
  const { status, charges, available, allowance, sale } = item.quote
  if (status !== 'valid') return item
  return {
    ...item,
    quote: {
      status: 'requires-recipient',
      ...(charges && {
        goods: {
          unitUnits: charges.unitUnits,
          ...(charges.discountUnits !== undefined && { discountUnits: charges.discountUnits }),
        },
      }),
      ...(available !== undefined && { available }),
      ...(allowance && { allowance }),
      ...(sale && { sale }),
    },
  }
}

/**
 * Prices an order: each line item in the payment currency, and their sum. Converted charges are rounded up to six
 * significant digits if the currency has more decimals than that. Unavailable line items cost nothing.
 *
 * @source answers.md "Order states"
 */
export const quoteOrder = (
  input: QuoteInput,
  config: QuoteConfig,
): Pick<OrderState, 'lineItems' | 'quote'> => {
  const left = new Map<string, number>()
  const quoted = input.items.map((item) => quoteItem(item, { input, config, left }))
  const lineItems = roundItems(
    quoted.map(({ state }) => state),
    input,
  )
  const { nowMs } = input
  const promotion = bestOf(quoted.map((item) => item.promotion))
  const usdRate = getRate(config.rates, input.payment.currency)
  const told = {
    quotedAtMs: nowMs,
    ...(promotion && { promotion }),
    ...(usdRate !== undefined && { usdRate }),
  }
  if (lineItems.every(({ quote }) => quote.status === 'item-unavailable')) {
    return { lineItems, quote: { status: 'all-line-items-unavailable', ...told } }
  }
  const isAddressMissing = lacksAddress(lineItems, input.recipient)
  if (!input.recipient || isAddressMissing) {
    return {
      lineItems: lineItems.map(withoutPrice),
      quote: { status: isAddressMissing ? 'requires-physical-address' : 'requires-recipient', ...told },
    }
  }
  const total = lineItems.reduce((sum, { quote }) => sum + BigInt(quote.charges?.totalUnits ?? 0), 0n)
  const ends = quoted.flatMap(({ state, endsAtMs }) =>
    state.quote.status === 'valid' && endsAtMs !== undefined ? [endsAtMs] : [],
  )
  return {
    lineItems,
    quote: {
      status: 'valid',
      ...told,
      // A payment in time is accepted, so no price may outlive the sale that it belongs to.
      expiresAtMs: Math.min(nowMs + config.quoteTtlMs, ...ends),
      totalUnits: `${total}`,
    },
  }
}
