import * as z from 'zod/mini'
import { badInput, readInput } from './httpError.js'
import type { Answer } from './orderVerbs.js'
import { findTestOrder } from './orderVerbs.js'
import type { TestWorld } from './testWorld.js'
import { viewTestOrder } from './viewTestOrder.js'

const Query = z.object({
  cursor: z.optional(z.string().check(z.minLength(1, 'expected a cursor'), z.maxLength(500, 'too long'))),
  limit: z._default(
    z.string().check(z.regex(/^([1-9]\d?|100)$/, 'expected a whole number from 1 to 100')),
    '30',
  ),
})

/** A place in the list: the orders that come before it, newest first. */
const readCursor = (text: string | undefined): number => {
  if (text === undefined) return 0
  const place = /^from-(\d+)$/.exec(text)?.[1]
  if (!place) throw badInput('cursor: expected a nextCursor or previousCursor of this list')
  return Number(place)
}

/** Lists every order, newest first, a page at a time. */
export const listTestOrders = (world: TestWorld, query: URLSearchParams): Answer => {
  const { cursor, limit } = readInput(Query, Object.fromEntries(query), 'query')
  const from = readCursor(cursor)
  const size = Number(limit)
  const ids = [...world.orders.keys()].reverse()
  const data = ids.slice(from, from + size).flatMap((orderId) => {
    const order = findTestOrder(world, orderId)
    return order ? [viewTestOrder(order, world.now(), 'server')] : []
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
