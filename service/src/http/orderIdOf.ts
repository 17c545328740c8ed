import type { Context } from 'hono'
import { ServiceError } from '../errors.js'
import { isUuid } from '../isUuid.js'

/**
 * The order a path names.
 *
 * @throws {@link ServiceError} `not-found` when no order can have that id.
 */
export const orderIdOf = (c: Context): string => {
  const id = c.req.param('orderId') ?? ''
  if (!isUuid(id)) throw new ServiceError('not-found', 'Not found')
  return id.toLowerCase()
}
