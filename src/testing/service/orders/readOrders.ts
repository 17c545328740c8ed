import * as z from 'zod/mini'
import { CursorQuery, wrongCursor } from '../../../engine/http/pages.js'
import { InvalidInput } from '../../../engine/invalidInput.js'
import { viewOrder } from '../../../engine/order/view.js'
import { parseInput } from '../../../engine/parseInput.js'
import type { Order } from '../../../schema/order.js'
import { orderSorts } from '../../../schema/orderMembers.js'
import type { Caller } from '../caller.js'
import type { Answer } from '../http.js'
import { progress } from '../progress.js'
import type { TestOrder, TestWorld } from '../testWorld.js'

/** Returns an order as the service shows it to a caller. */
export const viewTestOrder = ({ now }: TestWorld, { order }: TestOrder, caller: Caller): Order =>
  viewOrder(order, now(), caller === 'server' ? 'merchant' : 'buyer')

/** Finds an order, and applies all events that are due. */
export const findTestOrder = (world: TestWorld, orderId: string): TestOrder | undefined => {
  const record = world.orders.get(orderId)
  if (record) progress(world, record)
  return record
}

const Query = z.extend(CursorQuery, { sort: z.optional(z.enum(orderSorts)) })

/** Reads a cursor: the number of orders before the page. */
const readCursor = (text: string | undefined): number => {
  if (text === undefined) return 0
  const place = /^from-(\d+)$/.exec(text)?.[1]
  if (!place) throw new InvalidInput(wrongCursor)
  return Number(place)
}

/** Lists the orders, newest first unless the query says otherwise. */
export const listOrders = (world: TestWorld, query: URLSearchParams): Answer => {
  const { cursor, limit, sort } = parseInput(Query, Object.fromEntries(query), 'query')
  const from = readCursor(cursor)
  const size = Number(limit)
  const ids = [...world.orders.keys()]
  if (sort !== 'oldest') ids.reverse()
  const data = ids.slice(from, from + size).flatMap((orderId) => {
    const record = findTestOrder(world, orderId)
    return record ? [viewTestOrder(world, record, 'server')] : []
  })
  return {
    status: 200,
    body: {
      data,
      ...(ids.length > from + size && { nextCursor: `from-${from + size}` }),
      ...(from > 0 && { previousCursor: `from-${Math.max(0, from - size)}` }),
    },
  }
}
