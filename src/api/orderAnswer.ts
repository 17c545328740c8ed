import type { Order } from '../schema/index.js'
import type { Reader } from '../schema/read.js'
import { readOrder } from '../schema/readers.js'

/**
 * Parses the answer about one order, and rejects one about another order, which would be shown and paid in
 * its place.
 */
export const orderAnswer =
  (orderId: string): Reader<Order> =>
  (body) => {
    const answer = readOrder(body)
    return answer.fault === undefined && answer.data.orderId !== orderId
      ? { fault: 'orderId: another order' }
      : answer
  }
