import { fromBaseUnits } from '../../schema/baseUnits.js'
import type { PaymentStatus } from '../../schema/orderMembers.js'
import { takesChanges } from '../../schema/takesChanges.js'
import { canonicalJson } from '../canonicalJson.js'
import { sumUnits } from './accepted.js'
import { type Transition, unchanged } from './event.js'
import { isFree } from './isFree.js'
import type {
  EarlierQuote,
  FundsCheck,
  LineItemState,
  OrderState,
  PaymentState,
  PreparedSignature,
  QuotedTerms,
} from './order.js'
import { keepRefundTerms } from './refundTerms.js'
import { refundLeft } from './settle.js'

/** Whether an order may be edited and quoted again. */
export const isEditable = ({ phase, payments }: Pick<OrderState, 'payments' | 'phase'>): boolean =>
  takesChanges(phase, payments)

/** Says why an order takes neither a change nor a new quote now, or `undefined` if it does. */
export const explainUneditable = (order: OrderState): string | undefined => {
  if (isEditable(order)) return undefined
  return order.phase === 'quote' || order.phase === 'payment'
    ? 'The order cannot be changed now: a payment for it may be under way. It can be changed once everything that was paid goes back'
    : 'The order can no longer be changed: a payment was seen'
}

const statusOfFunds: Readonly<Record<FundsCheck['status'], PaymentStatus>> = {
  ready: 'awaiting-payment',
  'insufficient-funds': 'crypto-payer-insufficient-funds',
  'insufficient-funds-for-gas': 'crypto-payer-insufficient-funds-for-gas',
}

/** Whether an available item requires an e-mail address for the receipt and the order has none. */
const lacksReceiptEmail = ({ lineItems, payment }: Pick<QuotedTerms, 'lineItems' | 'payment'>): boolean =>
  payment.receiptEmail === undefined &&
  lineItems.some(({ quote, requires }) => quote.status === 'valid' && requires?.includes('receipt-email'))

/** Whether an order counts against a limit for its payer. */
const isLimitedByPayer = ({ lineItems }: Pick<QuotedTerms, 'lineItems'>): boolean =>
  lineItems.some(({ quote }) => quote.limits?.some((limit) => limit.of === 'payer'))

/** Returns what the payment waits for while a quote is valid and nothing was paid. */
export const idleStatus = (order: Pick<QuotedTerms, 'lineItems' | 'payment' | 'quote'>): PaymentStatus => {
  if (lacksReceiptEmail(order)) return 'requires-email'
  // No account has to sign for what costs nothing.
  if (isFree(order) && !isLimitedByPayer(order)) return 'awaiting-payment'
  return order.payment.payerAddress === undefined ? 'requires-crypto-payer-address' : 'awaiting-payment'
}

/** Leaves out what was prepared to be signed, because it pays another amount than what is left to pay, or too late. */
export const withoutSignature = ({
  serializedTransaction: _transaction,
  authorization: _authorization,
  gas: _gas,
  ...payment
}: OrderState['payment']): OrderState['payment'] => payment

/** Returns what a payer with these funds may sign. */
const signatureOf = (funds: FundsCheck | undefined): PreparedSignature => ({
  ...(funds?.status === 'ready' && { serializedTransaction: funds.serializedTransaction }),
  ...(funds?.authorization && { authorization: funds.authorization }),
  ...(funds?.gas && { gas: funds.gas }),
})

/** Gives a created, edited or refreshed order new terms and their price. */
export const takeQuote = (order: OrderState, terms: QuotedTerms): Transition => {
  if (!isEditable(order)) return unchanged(order)
  const { funds, payment, metadata, recipient, ...rest } = terms
  const isValid = terms.quote.status === 'valid'
  const waitsFor = idleStatus(terms)
  const checked = funds && waitsFor === 'awaiting-payment' ? statusOfFunds[funds.status] : waitsFor
  const status = isValid ? checked : 'requires-quote'
  const { metadata: _m, recipient: _r, promotionCode: _c, allowListProof: _p, ...kept } = order
  return {
    order: {
      ...kept,
      ...rest,
      ...(metadata && { metadata }),
      ...(recipient && { recipient }),
      earlierQuotes: earlierQuotes(order, terms),
      refunds: keepRefundTerms(order),
      phase: isValid ? 'payment' : 'quote',
      payment: {
        ...payment,
        status,
        ...(isValid && waitsFor === 'awaiting-payment' && signatureOf(funds)),
      },
    },
    effects:
      isValid && terms.quote.expiresAtMs !== undefined
        ? [{ type: 'schedule-expiry', atMs: terms.quote.expiresAtMs }]
        : [],
  }
}

/** How long a reported transaction explains an empty wallet. @units milliseconds */
export const hintedForMs = 3 * 60_000

/** Whether the payer may have too little because of a payment for this order that has not been seen yet. */
const isPerhapsPaid = ({ payments, hintedAtMs }: OrderState, nowMs: number): boolean =>
  payments.some(({ use }) => use === 'undecided') || (hintedAtMs ?? 0) > nowMs - hintedForMs

const isWaitingForPayer = ({ phase, payment }: OrderState): boolean =>
  phase === 'payment' &&
  payment.payerAddress !== undefined &&
  (Object.values(statusOfFunds) as PaymentStatus[]).includes(payment.status)

/** Records the payer's balance: too little for the price or the gas, or enough again. */
export const checkFunds = (order: OrderState, funds: FundsCheck, nowMs: number): Transition => {
  const { payment } = order
  if (!isWaitingForPayer(order) || isPerhapsPaid(order, nowMs) || isFree(order)) return unchanged(order)
  const status = statusOfFunds[funds.status]
  // What can still be signed stays, so that an unpaid order does not change with gas prices.
  const isOffered = funds.authorization !== undefined || payment.authorization === undefined
  const isSame = !isOffered || canonicalJson(funds.authorization) === canonicalJson(payment.authorization)
  if (status === payment.status && isSame && (funds.status !== 'ready' || payment.serializedTransaction)) {
    return unchanged(order)
  }
  const { authorization, gas } = payment
  const offered = isOffered ? {} : { ...(authorization && { authorization }), ...(gas && { gas }) }
  return {
    order: {
      ...order,
      payment: { ...withoutSignature(payment), status, ...signatureOf(funds), ...offered },
    },
    effects: [],
  }
}

/** Changes the status of the line items' quotes. Unavailable ones stay so. */
export const restamp = (items: LineItemState[], from: 'valid' | 'expired', to: 'valid' | 'expired') =>
  items.map((item) => (item.quote.status === from ? { ...item, quote: { ...item.quote, status: to } } : item))

/**
 * Returns what is left to pay of a quote, after the parts that were paid; `undefined` while there is no price.
 *
 * @units base units of the order's currency
 */
export const dueUnits = ({ payments, quote }: Pick<OrderState, 'payments' | 'quote'>): bigint | undefined =>
  quote.totalUnits === undefined
    ? undefined
    : BigInt(quote.totalUnits) - sumUnits(partsFor({ payments }, quote))

/** Says how much of the price was paid, in the currency of the order. */
export const explainParts = ({ quote, payment, payments }: OrderState): string => {
  const write = (units: bigint): string => `${fromBaseUnits(units, payment.decimals)} ${payment.currency}`
  const paid = sumUnits(payments.filter(({ use }) => use === 'part'))
  return `${write(paid)} of ${write(BigInt(quote.totalUnits ?? 0))} was paid`
}

const hasParts = ({ payments }: OrderState): boolean => payments.some(({ use }) => use === 'part')

/** Whether parts of the price of an expired quote wait for a payment that was mined in time and is seen late. */
export const awaitsSearch = (order: OrderState): boolean => order.phase === 'quote' && hasParts(order)

/** Refunds every part of the price that was paid, because the rest was not paid in time. */
const refundParts = (order: OrderState): Transition => {
  const parts = order.payments.filter(({ use }) => use === 'part')
  const payments = order.payments.map(
    (paid): PaymentState => (paid.use === 'part' ? { ...paid, use: 'returned' } : paid),
  )
  return refundLeft({ order: { ...order, payments }, effects: [] }, parts, 'underpaid')
}

/** Ends a quote. Parts of its price wait until no payment can be found any more that completes them. */
const endQuote = (order: OrderState): OrderState => {
  const payment = withoutSignature(order.payment)
  const message = `${explainParts(order)} before the quote expired. It goes back to its payer.`
  const failureReason = { code: 'underpaid' as const, message }
  return {
    ...order,
    phase: 'quote',
    lineItems: restamp(order.lineItems, 'valid', 'expired'),
    quote: { ...order.quote, status: 'expired' },
    payment: { ...payment, status: 'requires-quote', ...(hasParts(order) && { failureReason }) },
  }
}

/**
 * Expires a quote that ran out before the whole price was paid. The parts that were paid go back once payments were
 * looked for in every block up to its end: one that was mined in time may be seen late.
 *
 * @param searchedUntilMs - The time of the last final block in which payments were looked for, if that is known.
 */
export const expireQuote = (order: OrderState, nowMs: number, searchedUntilMs = 0): Transition => {
  const { phase, quote } = order
  const { expiresAtMs = Number.POSITIVE_INFINITY } = quote
  const isEnding = phase === 'payment' && nowMs >= expiresAtMs
  const isEnded = isEnding || (phase === 'quote' && quote.status === 'expired')
  if (!isEnded || isBeingPaid(order)) return unchanged(order)
  const ended = isEnding ? endQuote(order) : order
  if (!awaitsSearch(ended)) return { order: ended, effects: [] }
  if (searchedUntilMs > expiresAtMs) return refundParts(ended)
  return { order: ended, effects: isEnding ? [{ type: 'await-search' }] : [] }
}

/**
 * How many earlier prices stay valid. A quote is valid for minutes, so a pending payment can only be for one
 * of the last few.
 */
const maxEarlier = 5

type Paid = Pick<PaymentState, 'chain' | 'currency' | 'minedAtMs' | 'units'>

const isInTime = (
  { expiresAtMs, totalUnits }: OrderState['quote'],
  { minedAtMs }: Pick<Paid, 'minedAtMs'>,
): boolean => totalUnits !== undefined && expiresAtMs !== undefined && minedAtMs <= expiresAtMs

const isCovered = ({ totalUnits }: OrderState['quote'], units: bigint): boolean =>
  totalUnits !== undefined && units >= BigInt(totalUnits)

/** Returns the parts of the price that count for a quote: those that came in time. */
export const partsFor = (
  { payments }: Pick<OrderState, 'payments'>,
  quote: OrderState['quote'],
): PaymentState[] => payments.filter((paid) => paid.use === 'part' && isInTime(quote, paid))

const isSameGoods = (items: readonly LineItemState[], others: readonly LineItemState[]): boolean =>
  items.length === others.length &&
  items.every(
    ({ collectionId, templateId, quantity }, at) =>
      others[at]?.collectionId === collectionId &&
      others[at].templateId === templateId &&
      others[at].quantity === quantity,
  )

/** Returns the order's current prices as valid, even if they have been marked as expired. */
const presentQuote = ({ quote, lineItems }: OrderState): EarlierQuote => ({
  quote: { ...quote, status: 'valid' },
  items: lineItems.map((item) =>
    item.quote.status === 'expired' ? { ...item.quote, status: 'valid' } : item.quote,
  ),
})

/**
 * Returns the earlier prices that an order still honours after it takes a new one. With another currency,
 * other goods or another recipient, it honours none.
 */
const earlierQuotes = (order: OrderState, terms: QuotedTerms): EarlierQuote[] => {
  const isSame =
    order.payment.chain === terms.payment.chain &&
    order.payment.currency === terms.payment.currency &&
    canonicalJson(order.recipient) === canonicalJson(terms.recipient) &&
    isSameGoods(order.lineItems, terms.lineItems)
  if (!isSame) return []
  const present = order.quote.totalUnits === undefined ? [] : [presentQuote(order)]
  return [...present, ...(order.earlierQuotes ?? [])].slice(0, maxEarlier)
}

/** Returns the order at an earlier price, with the current price among the earlier ones. */
const atEarlierPrice = (order: OrderState, held: EarlierQuote): OrderState => {
  const payment = withoutSignature(order.payment)
  const others = (order.earlierQuotes ?? []).filter((one) => one !== held)
  const present = order.quote.totalUnits === undefined ? [] : [presentQuote(order)]
  return {
    ...order,
    payment,
    quote: held.quote,
    earlierQuotes: [...present, ...others],
    lineItems: order.lineItems.map((item, at) => ({ ...item, quote: held.items[at] ?? item.quote })),
  }
}

/**
 * Returns the order at the price that a payment is for: the current one, or an earlier one that it pays in full, alone
 * or with the parts that were paid before. The payment's block must be within the time for which that price is valid.
 *
 * @returns `undefined` if the payment is for none of them.
 */
export const quoteFor = (order: OrderState, paid: Paid): OrderState | undefined => {
  const { quote, payment, earlierQuotes = [] } = order
  if (paid.chain !== payment.chain || paid.currency !== payment.currency) return undefined
  const isForPresent = isInTime(quote, paid)
  const inTime = earlierQuotes.filter((one) => isInTime(one.quote, paid))
  const find = (isEnough: (quote: OrderState['quote']) => boolean): OrderState | undefined => {
    if (isForPresent && isEnough(quote)) return order
    const held = inTime.find((one) => isEnough(one.quote))
    return held && atEarlierPrice(order, held)
  }
  const units = BigInt(paid.units)
  return (
    find((one) => isCovered(one, units)) ??
    find((one) => isCovered(one, units + sumUnits(partsFor(order, one)))) ??
    (isForPresent ? order : undefined)
  )
}

/** Whether a payment that may still pay for the order waits for its confirmations. */
export const isBeingPaid = (order: OrderState): boolean =>
  order.payments.some((paid) => paid.use === 'undecided' && quoteFor(order, paid) !== undefined)

/**
 * Whether an order would accept a payment that a block includes at a time: it is what is left of the present price, or of
 * an earlier one, and no other payment may pay for the order.
 */
export const acceptsPayment = (order: OrderState, paid: Paid): boolean => {
  const isUnpaid = order.phase === 'quote' || order.phase === 'payment'
  const held = isUnpaid && !isBeingPaid(order) ? quoteFor(order, paid) : undefined
  const due = held && dueUnits(held)
  return due !== undefined && due > 0n && BigInt(paid.units) >= due
}
