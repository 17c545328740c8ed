import type { Context } from 'hono'
import { ServiceError } from '../errors.js'

/**
 * Reads a JSON body.
 *
 * @throws {@link ServiceError} `input-invalid` when there is none, or it is not JSON.
 */
export const readBody = async (c: Context): Promise<unknown> => {
  const text = await c.req.text()
  if (!text.trim()) throw new ServiceError('input-invalid', 'body: required')
  try {
    return JSON.parse(text)
  } catch {
    throw new ServiceError('input-invalid', 'body: not valid JSON')
  }
}
