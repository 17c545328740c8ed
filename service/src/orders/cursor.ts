import { ServiceError } from '../errors.js'
import { isUuid } from '../lib/isUuid.js'

/** A position in the list of a project's orders, and the direction in which to continue. */
export type OrderCursor = { direction: 'older' | 'newer'; createdAtMs: number; orderId: string }

/** Encodes the position after (or before) an order. */
export const writeCursor = (
  direction: OrderCursor['direction'],
  { createdAt, orderId }: { createdAt: Date; orderId: string },
): string => Buffer.from(`${direction}:${createdAt.getTime()}:${orderId}`).toString('base64url')

/**
 * Decodes a cursor from a client.
 *
 * @throws {@link ServiceError} `input-invalid` if the text is not one of the service's cursors.
 */
export const parseCursor = (text: string): OrderCursor => {
  const [direction, createdAt, orderId] = Buffer.from(text, 'base64url').toString().split(':')
  const isDirection = direction === 'older' || direction === 'newer'
  if (!isDirection || !createdAt || !/^\d{1,13}$/.test(createdAt) || !orderId || !isUuid(orderId)) {
    throw new ServiceError('input-invalid', 'cursor: expected a nextCursor or previousCursor of this list')
  }
  return { direction, createdAtMs: Number(createdAt), orderId }
}
