import type { PromotionStatus } from '../../schema/orderMembers.js'
import type { BuyerAllowance, SaleLimit, Unavailability } from './order.js'
import { type LineItemRequest, type QuoteInput, refuse } from './quoteInput.js'
import {
  findNextStart,
  findPhase,
  findPromotion,
  isExpired,
  limitOfPhase,
  limitOfPromotion,
  listBuyerLimits,
  needsEmail,
  type Promotion,
} from './sale.js'

/** How many tokens the buyer may have, the limits that say so, and why that is too few. */
export type Allowed = { allowance?: BuyerAllowance; limits: SaleLimit[]; excess?: Unavailability }

/** Returns how many of a limit are left. Line items of an order share them in their order. */
const countLeft = (left: Map<string, number>, { collection, held }: LineItemRequest, limit: SaleLimit) => {
  const { key = '', max } = limit
  return left.get(`${collection.id} ${key}`) ?? Math.max(0, max - (held?.get(key) ?? 0))
}

/** Takes a count off what is left of limits. */
export const countDown = (
  left: Map<string, number>,
  item: LineItemRequest,
  limits: readonly SaleLimit[],
  count: number,
): void => {
  for (const limit of limits) {
    left.set(`${item.collection.id} ${limit.key ?? ''}`, countLeft(left, item, limit) - count)
  }
}

/** Takes a line item's quantity from what its buyer may have. The smallest rest decides. */
export const takeAllowance = (
  left: Map<string, number>,
  item: LineItemRequest,
  input: QuoteInput,
): Allowed => {
  const allowed = takeOfBuyer(left, item, input)
  const { sale } = item.collection
  const outOfPhase = findOutOfPhase(left, item, input)
  return {
    ...allowed,
    limits: [...allowed.limits, ...(sale ? limitOfPhase(sale, input.nowMs) : [])],
    ...(outOfPhase && { excess: outOfPhase }),
  }
}

const takeOfBuyer = (
  left: Map<string, number>,
  item: LineItemRequest,
  { recipient, payment }: QuoteInput,
): Allowed => {
  const { collection, quantity, walletAddress, walletKey = walletAddress } = item
  const buyer = { wallet: walletKey, recipient, payment }
  const limits = collection.sale ? listBuyerLimits(collection.sale, buyer) : []
  const [tightest] = limits
    .map((limit) => ({ max: limit.max, left: countLeft(left, item, limit) }))
    .sort((one, other) => one.left - other.left)
  if (!tightest) return { limits }
  if (tightest.left >= quantity) return { allowance: tightest, limits }
  const message =
    tightest.left === 0
      ? `${collection.name}: a buyer can get at most ${tightest.max}, and this buyer already has them`
      : `${collection.name}: a buyer can get at most ${tightest.max}, and this buyer can get ${tightest.left} more`
  return { allowance: tightest, limits, excess: refuse('limit-reached', message) }
}

/** Says why a line item cannot be bought in the present phase; the next phase may be for everyone. */
const findOutOfPhase = (
  left: Map<string, number>,
  item: LineItemRequest,
  { recipient, nowMs }: QuoteInput,
): Unavailability | undefined => {
  const { collection, quantity, isListed } = item
  const { sale, name } = collection
  const phase = sale && findPhase(sale, nowMs)
  if (!sale || !phase) return undefined
  const next = findNextStart(sale, nowMs)
  const again = next === undefined ? {} : { availableAtMs: next }
  if (phase.allowList && recipient && !isListed) {
    const message = `${name}: ${phase.name} is for the wallets of its allow-list`
    return { ...refuse('not-in-phase', message), ...again }
  }
  const [rest] = limitOfPhase(sale, nowMs).map((limit) => countLeft(left, item, limit))
  if (rest === undefined || rest >= quantity) return undefined
  const message = rest
    ? `${name}: only ${rest} are left in ${phase.name}`
    : `${name}: ${phase.name} is sold out`
  return { ...refuse('phase-sold-out', message), ...again }
}

/** The promotion code as it applies to a line item. */
type Promoted = { promotion?: Promotion; status?: PromotionStatus }

/** Finds the order's promotion code among those of a line item's sale, and says what becomes of it. */
export const findPromoted = (
  left: Map<string, number>,
  item: LineItemRequest,
  { promotionCode, nowMs }: QuoteInput,
): Promoted => {
  if (promotionCode === undefined) return {}
  const promotion = findPromotion(item.collection.sale, promotionCode)
  if (!promotion) return { status: 'not-found' }
  if (isExpired(promotion, nowMs)) return { status: 'expired' }
  const isUsedUp = limitOfPromotion(promotion).some((limit) => countLeft(left, item, limit) < 1)
  return isUsedUp ? { status: 'used-up' } : { promotion, status: 'applied' }
}

/** Returns when the sale, its phase or the promotion code of a line item ends, whichever is first. */
export const findEnd = (
  { collection }: LineItemRequest,
  promotion: Promotion | undefined,
  nowMs: number,
): { endsAtMs?: number } => {
  const ends = [collection.sale?.endsAt, promotion?.expiresAt].flatMap((end) =>
    end === undefined ? [] : [Date.parse(end)],
  )
  const nextMs = collection.sale ? findNextStart(collection.sale, nowMs) : undefined
  if (nextMs !== undefined) ends.push(nextMs)
  return ends.length ? { endsAtMs: Math.min(...ends) } : {}
}

/** Lists the buyer's details that a line item requires: those of its collection, and what its sale counts buyers by. */
export const listRequired = ({ collection: { requires, sale } }: LineItemRequest, input: QuoteInput) => {
  const asksEmail = sale && needsEmail(sale, input) && !requires.includes('receipt-email')
  return asksEmail ? [...requires, 'receipt-email' as const] : requires
}

/** The best that became of a promotion code, which may lower the price of some line items only. */
export const bestOf = (statuses: readonly (PromotionStatus | undefined)[]): PromotionStatus | undefined =>
  (['applied', 'used-up', 'expired', 'not-found'] as const).find((status) => statuses.includes(status))
