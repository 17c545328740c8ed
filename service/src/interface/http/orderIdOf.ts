import type { Context } from 'hono'
import { ServiceError } from '#base/errors.js'
import { isUuid } from '#base/lib/uuid.js'

/**
 * Returns the order id in a path.
 *
 * @throws {@link ServiceError} `not-found` if it cannot be an order's id.
 */
export const orderIdOf = (c: Context): string => {
  const id = c.req.param('orderId') ?? ''
  if (!isUuid(id)) throw new ServiceError('not-found', 'Not found')
  return id.toLowerCase()
}
