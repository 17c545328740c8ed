import type { Context } from 'hono'
import { ServiceError } from '../errors.js'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * The order a path names.
 *
 * @throws {@link ServiceError} `not-found` when no order can have that id.
 */
export const orderIdOf = (c: Context): string => {
  const id = c.req.param('orderId') ?? ''
  if (!uuid.test(id)) throw new ServiceError('not-found', 'Not found')
  return id.toLowerCase()
}
