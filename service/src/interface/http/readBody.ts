import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { ServiceError } from '#base/errors.js'
import { isForm, maxUploadBytes, refuseLargeFile } from './readUpload.js'

const maxLevels = 32

// The database cannot store NUL, and half a surrogate pair is not text.
const unkeepable = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

const refuse = (path: string, reason: string): never => {
  throw new ServiceError('input-invalid', `${path || 'body'}: ${reason}`)
}

/** Refuses what cannot be stored, naming the field, before any other check. */
const checkValue = (value: unknown, path: string, level: number): void => {
  if (typeof value === 'string' && unkeepable.test(value)) refuse(path, 'contains an invalid character')
  if (typeof value !== 'object' || value === null) return
  if (level > maxLevels) refuse(path, `nested more than ${maxLevels} levels deep`)
  for (const [key, inner] of Object.entries(value)) {
    if (unkeepable.test(key)) refuse(path, 'has a field name with an invalid character')
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
 * @param isOptional - Whether no body means an empty object.
 * @throws {@link ServiceError} `input-invalid` if it is missing, is not UTF-8 or JSON, or contains what
 * cannot be stored.
 */
export const readBody = async (c: Context, isOptional = false): Promise<unknown> => {
  const text = await readText(c)
  return isOptional && !text.trim() ? {} : parseBody(text)
}

const maxBytes = 1024 * 1024

const refuseLarge = (): never => {
  throw new ServiceError('body-too-large', 'The body is over the limit of 1 MiB')
}

const limits = {
  body: { most: maxBytes, refuse: refuseLarge },
  upload: { most: maxUploadBytes, refuse: refuseLargeFile },
}
const countBytes = {
  body: bodyLimit({ maxSize: maxBytes, onError: refuseLarge }),
  upload: bodyLimit({ maxSize: maxUploadBytes, onError: refuseLargeFile }),
}

/**
 * Refuses bodies over 1 MiB, and uploads over 20 MiB, before reading them if the caller states their length.
 *
 * @param uploads - The paths that take a file.
 */
export const limitBody = (uploads: ReadonlySet<string>) =>
  createMiddleware(async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()
    const kind = uploads.has(c.req.path) && isForm(c) ? 'upload' : 'body'
    const length = c.req.header('content-length')
    if (length === undefined || c.req.header('transfer-encoding') !== undefined)
      return countBytes[kind](c, next)
    // `bodyLimit` would make a stream of the body to see whether there is one.
    const { most, refuse } = limits[kind]
    if (Number.parseInt(length, 10) > most) refuse()
    return next()
  })

const utf8 = new TextDecoder('utf-8', { fatal: true })

const largeBytes = 64 * 1024
let lastTurn = Promise.resolve()

/** Waits for a turn of the event loop that no other large body has. */
const takeTurn = (): Promise<void> => {
  lastTurn = lastTurn.then(() => nextTurn())
  return lastTurn
}

/**
 * Reads the text of a body. Of large bodies one is passed on in each turn of the event loop: checking one takes
 * milliseconds, and a burst of them would keep every other request waiting.
 *
 * @throws {@link ServiceError} `input-invalid` when it is not UTF-8.
 */
export const readText = async (c: Context): Promise<string> => {
  const bytes = await c.req.arrayBuffer()
  if (bytes.byteLength > largeBytes) await takeTurn()
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ServiceError('input-invalid', 'body: not valid UTF-8')
  }
}
