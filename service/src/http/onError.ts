import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { toDatabaseError } from '../db/databaseError.js'
import type { Log } from '../deps.js'
import { ServiceError } from '../errors.js'
import type { ServiceEnv } from './context.js'

const defaultRetrySeconds = 30

const write = (c: Context<ServiceEnv>, status: ContentfulStatusCode, message: string) =>
  c.json({ error: true, message }, status)

/**
 * Writes every error body there is. What the service did not throw on purpose is a bug: the caller learns a
 * request id and nothing else.
 */
export const onError =
  (log: Log) =>
  (error: unknown, c: Context<ServiceEnv>): Response => {
    const known = error instanceof ServiceError ? error : toDatabaseError(error)
    if (known) {
      if (known.status >= 500) log.warn({ err: error, requestId: c.get('requestId') }, 'request refused')
      if (known.isRetryable) c.header('retry-after', String(known.retryAfterSeconds ?? defaultRetrySeconds))
      return write(c, known.status, known.message)
    }
    if (error instanceof HTTPException && error.status < 500) return write(c, error.status, error.message)
    log.error({ err: error, requestId: c.get('requestId') }, 'a request met a bug')
    return write(c, 500, `Something went wrong: please contact support with request id ${c.get('requestId')}`)
  }

/** Answers for paths that do not exist. */
export const onNotFound = (c: Context<ServiceEnv>): Response => write(c, 404, 'Not found')
