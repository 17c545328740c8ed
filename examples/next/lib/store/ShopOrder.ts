import { isRecord } from '../read'

/** An amount of money, exact, in a currency: `{ amount: '0.02', currency: 'eth' }`. */
export type Money = { amount: string; currency: string }

/**
 * One thing in an order, and how far its delivery was when the shop last heard of it: as the service says it, or
 * `not-sold` for what could not be bought, and was not charged.
 */
export type OrderedItem = { name: string; quantity: number; delivery: string }

/** An order as the shop keeps it: what its people look at, and nothing about the buyer. */
export type ShopOrder = {
  orderId: string
  items: OrderedItem[]
  total?: Money
  /** What went back to the payer. */
  refunded?: Money
  /** When the order was made, as all times here in epoch milliseconds. */
  placedAtMs: number
  paidAtMs?: number
  /** When the last item that was sold was delivered; never, while one of them is not. */
  shippedAtMs?: number
  /** All that was told of it, by the ids under which the same may be told again. */
  events: { id: string; type: string; atMs: number }[]
}

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isNumber: Check = (value) => typeof value === 'number'
const isOptional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
const isObjectOf =
  (checks: Record<string, Check>): Check =>
  (value) =>
    isRecord(value) && Object.entries(checks).every(([field, check]) => check(value[field]))

const isMoney = isObjectOf({ amount: isText, currency: isText })

const checks: Record<keyof ShopOrder, Check> = {
  orderId: isText,
  items: isListOf(isObjectOf({ name: isText, quantity: isNumber, delivery: isText })),
  total: isOptional(isMoney),
  refunded: isOptional(isMoney),
  placedAtMs: isNumber,
  paidAtMs: isOptional(isNumber),
  shippedAtMs: isOptional(isNumber),
  events: isListOf(isObjectOf({ id: isText, type: isText, atMs: isNumber })),
}

/** Whether a value that was read from somewhere is an order of the shop. */
export const isShopOrder = (value: unknown): value is ShopOrder => isObjectOf(checks)(value)
