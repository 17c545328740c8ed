import { invalid } from '../invalidInput.js'

const maxLevels = 32

// The database cannot store NUL, and half a surrogate pair is not text.
const unkeepable = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** Refuses what cannot be stored, naming the field, before any other check. */
const checkValue = (value: unknown, path: string, level: number): void => {
  const field = path || 'body'
  if (typeof value === 'string' && unkeepable.test(value))
    throw invalid(field, 'contains an invalid character')
  if (typeof value !== 'object' || value === null) return
  if (level > maxLevels) throw invalid(field, `nested more than ${maxLevels} levels deep`)
  for (const [key, inner] of Object.entries(value)) {
    if (unkeepable.test(key)) throw invalid(field, 'has a field name with an invalid character')
    const separator = path ? '.' : ''
    checkValue(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}${separator}${key}`, level + 1)
  }
}

/**
 * Parses the text of a JSON body.
 *
 * @throws {@link InvalidInput} if it is empty, is not JSON, or contains what cannot be stored.
 */
export const parseBody = (text: string): unknown => {
  if (!text.trim()) throw invalid('body', 'required')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('body', 'not valid JSON')
  }
  checkValue(value, '', 0)
  return value
}
