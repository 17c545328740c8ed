import type { Context } from 'hono'
import { ServiceError } from '../errors.js'
import { readText } from './readText.js'

const maxLevels = 32

// The database cannot store NUL, and half a surrogate pair is not text.
const unkeepable = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

const refuse = (path: string, reason: string): never => {
  throw new ServiceError('input-invalid', `${path || 'body'}: ${reason}`)
}

/** Refuses what cannot be stored, naming the field, before any other check. */
const checkValue = (value: unknown, path: string, level: number): void => {
  if (typeof value === 'string' && unkeepable.test(value)) refuse(path, 'holds a character that is no text')
  if (typeof value !== 'object' || value === null) return
  if (level > maxLevels) refuse(path, `nested more than ${maxLevels} levels deep`)
  for (const [key, inner] of Object.entries(value)) {
    if (unkeepable.test(key)) refuse(path, 'has a field whose name is no text')
    const separator = path ? '.' : ''
    checkValue(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}${separator}${key}`, level + 1)
  }
}

/**
 * Parses the text of a JSON body.
 *
 * @throws {@link ServiceError} `input-invalid` if it is empty, is not JSON, or contains what cannot be
 * stored.
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
 * @throws {@link ServiceError} `input-invalid` if it is missing, is not UTF-8 or JSON, or contains what
 * cannot be stored.
 */
export const readBody = async (c: Context): Promise<unknown> => parseBody(await readText(c))
