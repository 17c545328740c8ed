import type { Context } from 'hono'
import { ServiceError } from '../errors.js'

const mostLevels = 32

// The database keeps no NUL, and half a surrogate pair is no text.
const unkeepable = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

const refuse = (path: string, reason: string): never => {
  throw new ServiceError('input-invalid', `${path || 'body'}: ${reason}`)
}

/** Refuses what cannot be kept, naming the field, before anything else looks at it. */
const checkValue = (value: unknown, path: string, level: number): void => {
  if (typeof value === 'string' && unkeepable.test(value)) refuse(path, 'holds a character that is no text')
  if (typeof value !== 'object' || value === null) return
  if (level > mostLevels) refuse(path, `nested more than ${mostLevels} levels deep`)
  for (const [key, inner] of Object.entries(value)) {
    if (unkeepable.test(key)) refuse(path, 'has a field whose name is no text')
    const separator = path ? '.' : ''
    checkValue(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}${separator}${key}`, level + 1)
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new ServiceError('input-invalid', 'body: not valid JSON')
  }
}

/**
 * Reads a JSON body.
 *
 * @throws {@link ServiceError} `input-invalid` when there is none, it is not JSON, or it holds what cannot be kept.
 */
export const readBody = async (c: Context): Promise<unknown> => {
  const text = await c.req.text()
  if (!text.trim()) throw new ServiceError('input-invalid', 'body: required')
  const value = parse(text)
  checkValue(value, '', 0)
  return value
}
