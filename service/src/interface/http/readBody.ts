import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { parseBody } from 'kassa/engine'
import { checkInput, ServiceError } from '#base/errors.js'
import { isForm, maxUploadBytes, refuseLargeFile } from './readUpload.js'

/**
 * Reads a JSON body.
 *
 * @param isOptional - Whether no body means an empty object.
 * @throws {@link ServiceError} `input-invalid` if it is missing, is not UTF-8 or JSON, or contains what
 * cannot be stored.
 */
export const readBody = async (c: Context, isOptional = false): Promise<unknown> => {
  const text = await readText(c)
  return isOptional && !text.trim() ? {} : checkInput(() => parseBody(text))
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
