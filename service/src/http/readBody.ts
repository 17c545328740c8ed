import type { Context } from 'hono'
import { ServiceError } from '../errors.js'
import { readText } from './readText.js'

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

/**
 * Parses the text of a JSON body.
 *
 * @throws {@link ServiceError} `input-invalid` when it is empty, is not JSON, or holds what cannot be kept.
 */
export const parseBody = (text: string): unknown => {
  if (!text.trim()) throw new ServiceError('input-invalid', 'body: required')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ServiceError('input-invalid', 'body: not valid JSON')
  }
  checkValue(value, '', 0)
  return value
}

/**
 * Reads a JSON body.
 *
 * @throws {@link ServiceError} `input-invalid` when there is none, it is not UTF-8 or JSON, or it holds what cannot be kept.
 */
export const readBody = async (c: Context): Promise<unknown> => parseBody(await readText(c))
