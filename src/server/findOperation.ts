import { isOrderId } from './orderCookie.js'

/** A request's operation, named like the functions of `kassa/api`. */
export type Operation =
  | { name: 'createOrder' }
  | { name: 'getOrder' | 'editOrder' | 'refreshOrder' | 'reportPayment'; orderId: string }

const path = /\/2022-06-09\/orders(?:\/([^/]+)(?:\/(refresh|payment))?)?\/?$/

const byMethod: Readonly<Record<string, 'getOrder' | 'editOrder' | 'refreshOrder' | 'reportPayment'>> = {
  'GET ': 'getOrder',
  'PATCH ': 'editOrder',
  'POST refresh': 'refreshOrder',
  'POST payment': 'reportPayment',
}

/**
 * Finds a request's operation, wherever the handler is mounted; undefined for a request that is not allowed.
 */
export const findOperation = ({ method, url }: Pick<Request, 'method' | 'url'>): Operation | undefined => {
  const found = path.exec(new URL(url).pathname)
  if (!found) return undefined
  const [, orderId, action = ''] = found
  if (orderId === undefined) return method === 'POST' ? { name: 'createOrder' } : undefined
  const name = byMethod[`${method} ${action}`]
  return name && isOrderId(orderId) ? { name, orderId } : undefined
}
