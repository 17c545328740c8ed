import { isRecord } from '../read'

/** An exact amount of money in a currency: `{ amount: '0.02', currency: 'eth' }`. */
export type Money = { amount: string; currency: string }

/**
 * One item of an order with its last known delivery status. The status is the service's, or `not-sold` for an
 * item that could not be bought and was not charged.
 */
export type OrderedItem = { name: string; quantity: number; delivery: string }

/** An order as the shop stores it, without data about the buyer. */
export type ShopOrder = {
  orderId: string
  items: OrderedItem[]
  total?: Money
  /** The amount refunded to the payer. */
  refunded?: Money
  /** When the order was created. All times here are epoch milliseconds. */
  placedAtMs: number
  paidAtMs?: number
  /** When the last sold item was delivered; unset until all are. */
  shippedAtMs?: number
  /** All events received for it, by the ids under which the service may repeat them. */
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

/** Whether a value is an order of the shop. */
export const isShopOrder = (value: unknown): value is ShopOrder => isObjectOf(checks)(value)
