import { matchOperation } from '../schema/matchOperation.js'
import {
  createAuthorization,
  createOrder,
  editOrder,
  getOrder,
  listPaymentOptions,
  refreshOrder,
  reportPayment,
  streamOrder,
} from '../schema/operations.js'
import { isOrderId } from './orderCookie.js'

const rows = {
  createOrder,
  getOrder,
  editOrder,
  refreshOrder,
  reportPayment,
  createAuthorization,
  streamOrder,
  listPaymentOptions,
}

/** A request's operation, named like the functions of `kassa/api`. */
export type Operation =
  | { name: 'createOrder' }
  | { name: Exclude<keyof typeof rows, 'createOrder'>; orderId: string }

/**
 * Finds a request's operation, wherever the handler is mounted; undefined for a request that is not allowed.
 */
export const findOperation = (request: Pick<Request, 'method' | 'url'>): Operation | undefined => {
  const found = matchOperation(rows, request)
  if (!found) return undefined
  const { name } = found
  if (name === 'createOrder') return { name }
  const { orderId = '' } = found.params
  return isOrderId(orderId) ? { name, orderId } : undefined
}
