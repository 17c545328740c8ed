import type { Context } from 'hono'
import { ServiceError } from '../errors.js'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the text of a body.
 *
 * @throws {@link ServiceError} `input-invalid` when it is not UTF-8.
 */
export const readText = async (c: Context): Promise<string> => {
  const bytes = await c.req.arrayBuffer()
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ServiceError('input-invalid', 'body: not valid UTF-8')
  }
}
