import { ServiceError } from '../errors.js'
import { isUuid } from '../isUuid.js'

/** A place in the list of a project's orders, and which way to go on from there. */
export type OrderCursor = { direction: 'older' | 'newer'; createdAtMs: number; orderId: string }

/** Writes the place after (or before) an order. */
export const writeCursor = (
  direction: OrderCursor['direction'],
  { createdAt, orderId }: { createdAt: Date; orderId: string },
): string => Buffer.from(`${direction}:${createdAt.getTime()}:${orderId}`).toString('base64url')

/**
 * Reads a cursor that came back from a client.
 *
 * @throws {@link ServiceError} `input-invalid` when the text is not a cursor of ours.
 */
export const parseCursor = (text: string): OrderCursor => {
  const [direction, createdAt, orderId] = Buffer.from(text, 'base64url').toString().split(':')
  const isDirection = direction === 'older' || direction === 'newer'
  if (!isDirection || !createdAt || !/^\d{1,13}$/.test(createdAt) || !orderId || !isUuid(orderId)) {
    throw new ServiceError('input-invalid', 'cursor: expected a nextCursor or previousCursor of this list')
  }
  return { direction, createdAtMs: Number(createdAt), orderId }
}
