import type { LineItemQuote } from '../../schema/quote.js'
import type { SaleRules as SaleInput } from '../../schema/saleInput.js'
import { convertUp } from './convert.js'
import type { LineItemState, OrderState, Recipient, SaleLimit, Unavailability } from './order.js'

/** A phase of a sale as it is stored: the addresses of its allow-list stand apart. */
export type SalePhase = Omit<NonNullable<SaleInput['phases']>[number], 'allowList'> & {
  allowList?:
    | {
        merkleRoot?: string | undefined
        /** What its addresses are stored under, and how many they are. */
        listId?: string
        addressCount?: number
      }
    | undefined
}

/** The rules of a sale as they are stored. */
export type SaleRules = Omit<SaleInput, 'phases'> & { phases?: SalePhase[] | undefined }

/** Whom the limits of a buyer count, as far as an order knows it. */
export type Buyer = {
  /** The wallet that receives the tokens, by its address or by the user that it belongs to. */
  wallet?: string | undefined
  recipient?: Pick<Recipient, 'email'> | undefined
  payment: { payerAddress?: string; receiptEmail?: string }
}

/** Addresses of EVM chains are the same in every case; those of other chains are not. */
const sameCase = (address: string): string => (address.startsWith('0x') ? address.toLowerCase() : address)

const payerKey = (address: string): string => `payer:${sameCase(address)}`

/** Lists the limits of a sale that an order counts against. */
export const listBuyerLimits = (
  { maxPerBuyer }: SaleRules,
  { wallet, recipient, payment }: Buyer,
): SaleLimit[] => {
  const limits: SaleLimit[] = []
  if (maxPerBuyer?.wallet !== undefined && wallet !== undefined) {
    limits.push({ of: 'wallet', key: `wallet:${sameCase(wallet)}`, max: maxPerBuyer.wallet })
  }
  if (maxPerBuyer?.email !== undefined) {
    const emails = [recipient?.email, payment.receiptEmail].flatMap((email) => email?.toLowerCase() ?? [])
    for (const email of new Set(emails)) {
      limits.push({ of: 'email', key: `email:${email}`, max: maxPerBuyer.email })
    }
  }
  if (maxPerBuyer?.payer !== undefined) {
    const { payerAddress } = payment
    const key = payerAddress === undefined ? {} : { key: payerKey(payerAddress) }
    limits.push({ of: 'payer', ...key, max: maxPerBuyer.payer })
  }
  return limits
}

/** Whether a sale counts its buyers by e-mail address and an order has none yet. */
export const needsEmail = ({ maxPerBuyer }: SaleRules, { recipient }: Pick<Buyer, 'recipient'>): boolean =>
  maxPerBuyer?.email !== undefined && recipient?.email === undefined

/** Tokens, or a use of a promotion code, that an order counts against a limit. */
export type SaleHold = { key: string; max: number; count: number }

/**
 * Lists what a line item counts against the limits of its sale. The limit of a payer counts the account that paid,
 * which may be another one than the buyer named.
 */
export const listHolds = (
  { quote: { limits = [] }, quantity }: LineItemState,
  { payments }: Pick<OrderState, 'payments'>,
): SaleHold[] => {
  const paid =
    payments.find(({ use }) => use === 'accepted') ?? payments.find(({ use }) => use === 'undecided')
  return limits.flatMap(({ of, key, max }) => {
    const held = of === 'payer' && paid ? payerKey(paid.payer) : key
    return held === undefined ? [] : [{ key: held, max, count: of === 'code' ? 1 : quantity }]
  })
}

const startOf = ({ startsAt }: SalePhase): number => (startsAt === undefined ? 0 : Date.parse(startsAt))

/** Returns the phase of a sale at a time; `undefined` without phases, or before the first. */
export const findPhase = ({ phases = [] }: SaleRules, nowMs: number): SalePhase | undefined =>
  phases.findLast((phase) => startOf(phase) <= nowMs)

/** Returns when the phase at a time ends, because the next one starts. */
export const findNextStart = ({ phases = [] }: SaleRules, nowMs: number): number | undefined =>
  phases.map(startOf).find((startMs) => startMs > nowMs)

/** Returns the limit of the phase that a line item is sold in. */
export const limitOfPhase = (sale: SaleRules, nowMs: number): SaleLimit[] => {
  const phase = findPhase(sale, nowMs)
  if (phase?.maxTokens === undefined) return []
  return [{ of: 'phase', key: `phase:${phase.name}`, max: phase.maxTokens }]
}

/** When a sale opens: at its start, or that of its first phase if that is later. */
const findOpening = ({ startsAt, phases: [first] = [] }: SaleRules): number =>
  Math.max(startsAt === undefined ? 0 : Date.parse(startsAt), first ? startOf(first) : 0)

/** Whether a sale is over. */
export const hasEnded = ({ endsAt }: Pick<SaleRules, 'endsAt'>, nowMs: number): boolean =>
  endsAt !== undefined && nowMs >= Date.parse(endsAt)

/** Says why a sale is closed at a time; `undefined` while it is open. */
export const findClosed = (sale: SaleRules, name: string, nowMs: number): Unavailability | undefined => {
  const { endsAt } = sale
  const availableAtMs = findOpening(sale)
  if (nowMs < availableAtMs) {
    const message = `the sale of ${name} starts at ${new Date(availableAtMs).toISOString()}`
    return { code: 'sale-not-started', message, availableAtMs }
  }
  if (endsAt !== undefined && hasEnded(sale, nowMs)) {
    const message = `the sale of ${name} ended at ${new Date(Date.parse(endsAt)).toISOString()}`
    return { code: 'sale-ended', message }
  }
  return undefined
}

/** The rules of a sale as a buyer sees them. */
export type SaleView = NonNullable<LineItemQuote['sale']>

const iso = (epochMs: number): string => new Date(epochMs).toISOString()

/** Returns what a buyer may know of the rules of a sale at a time: neither its codes nor who is on an allow-list. */
export const viewSale = (sale: SaleRules, nowMs: number): SaleView => {
  const { endsAt, maxPerBuyer, promotionCodes = [] } = sale
  const opensAtMs = findOpening(sale)
  const phase = findPhase(sale, nowMs)
  const nextMs = findNextStart(sale, nowMs)
  return {
    ...(nowMs < opensAtMs && { startsAt: iso(opensAtMs) }),
    ...(endsAt !== undefined && { endsAt: iso(Date.parse(endsAt)) }),
    ...(phase && {
      phase: {
        name: phase.name,
        ...(nextMs !== undefined && { endsAt: iso(nextMs) }),
        isForAllowList: phase.allowList !== undefined,
      },
    }),
    ...(maxPerBuyer && { maxPerBuyer }),
    ...(promotionCodes.some((promotion) => !isExpired(promotion, nowMs)) && { hasPromotionCodes: true }),
  }
}

/** A promotion code of a sale. */
export type Promotion = NonNullable<SaleRules['promotionCodes']>[number]

/** Codes that differ only in capital letters are the same. */
const canonicalCode = (code: string): string => code.trim().toUpperCase()

/** Finds a promotion code among those of a sale. */
export const findPromotion = (
  sale: SaleRules | null | undefined,
  code: string | undefined,
): Promotion | undefined =>
  code === undefined
    ? undefined
    : sale?.promotionCodes?.find((known) => canonicalCode(known.code) === canonicalCode(code))

/** Returns the limit that the uses of a promotion code count against, if it has one. */
export const limitOfPromotion = ({ code, limit }: Promotion): SaleLimit[] =>
  limit === undefined ? [] : [{ of: 'code', key: `code:${canonicalCode(code)}`, max: limit }]

/** Lists every limit of a sale that a line item may count against, to find what counts already. */
export const listSaleLimits = (
  sale: SaleRules,
  buyer: Buyer,
  { promotionCode, nowMs }: { promotionCode: string | undefined; nowMs: number },
): SaleLimit[] => {
  const promotion = findPromotion(sale, promotionCode)
  return [
    ...listBuyerLimits(sale, buyer),
    ...limitOfPhase(sale, nowMs),
    ...(promotion ? limitOfPromotion(promotion) : []),
  ]
}

/** Whether a promotion code has expired. */
export const isExpired = ({ expiresAt }: Promotion, nowMs: number): boolean =>
  expiresAt !== undefined && nowMs >= Date.parse(expiresAt)

/** The price of a line item, the currency in which its collection names it, and the one in which it is paid. */
type ItemPrice = { unit: bigint; currency: string; payment: { currency: string; decimals: number } }

/**
 * Returns by how much a promotion code lowers the price of a line item: at most the price.
 *
 * @param price.unit - The price for the whole quantity, in base units of the payment currency.
 * @returns Base units of the payment currency; `undefined` if a rate is missing.
 */
export const discountOf = (
  { percent, amount }: Promotion,
  { unit, currency, payment }: ItemPrice,
  rates: Readonly<Record<string, string>>,
): bigint | undefined => {
  if (percent !== undefined) {
    const [whole = '0', fraction = ''] = percent.split('.')
    return (unit * BigInt(`${whole}${fraction.padEnd(2, '0')}`)) / 10_000n
  }
  const discount = convertUp(amount ?? '0', currency, payment, rates)
  return discount !== undefined && discount > unit ? unit : discount
}
