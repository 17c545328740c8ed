import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { explainMethods, writeError } from 'kassa/engine'
import type { Log } from '#base/deps.js'
import { type ErrorDetail, ServiceError } from '#base/errors.js'
import type { ServiceEnv } from './context.js'
import { findMethods, type ServedPath } from './findMethods.js'
import { findInstead, findVersion } from './otherPaths.js'

const defaultRetrySeconds = 30

/** Where every path of the interface begins, below `/api`. */
export const versionPath = '/2022-06-09/'

const write = (
  c: Context<ServiceEnv>,
  status: ContentfulStatusCode,
  message: string,
  detail?: ErrorDetail,
) => {
  return c.json(writeError({ message, detail, isText: c.get('hasTextErrors') ?? false }), status)
}

/**
 * Writes every error body. An error that the service did not throw on purpose is a bug: the caller gets a
 * request id and nothing else.
 */
export const onError =
  (log: Log) =>
  (error: unknown, c: Context<ServiceEnv>): Response => {
    const known = error instanceof ServiceError ? error : toDatabaseError(error)
    if (known) {
      if (known.status >= 500) log.warn({ err: error, requestId: c.get('requestId') }, 'request refused')
      if (known.isRetryable) c.header('retry-after', String(known.retryAfterSeconds ?? defaultRetrySeconds))
      return write(c, known.status, known.message, known instanceof ServiceError ? known.detail : undefined)
    }
    if (error instanceof HTTPException && error.status < 500) return write(c, error.status, error.message)
    log.error({ err: error, requestId: c.get('requestId') }, 'a request met a bug')
    return write(c, 500, `Something went wrong: please contact support with request id ${c.get('requestId')}`)
  }

/**
 * Answers requests for paths that do not exist, and for methods that a path does not accept. A client whose `baseUrl`
 * lacks `/api` is told where the interface is.
 */
export const onNotFound =
  (served: readonly ServedPath[], publicUrl: string) =>
  (c: Context<ServiceEnv>): Response => {
    const { method, path } = c.req
    const instead = findInstead(method, path)
    if (instead !== undefined) return write(c, 404, `Not found: ${instead}`)
    if (path.startsWith(versionPath))
      return write(c, 404, `Not found: the interface is at ${publicUrl}/api. End baseUrl with /api.`)
    const methods = findMethods(served, path)
    const version = methods.length ? undefined : findVersion(method, path)
    if (version !== undefined) {
      const where = path.startsWith('/api/') ? '' : `. The interface is at ${publicUrl}/api`
      return write(c, 404, `Not found: ${version}${where}`)
    }
    if (!methods.length || methods.includes(method === 'HEAD' ? 'GET' : method)) {
      return write(c, 404, 'Not found')
    }
    c.header('allow', methods.join(', '))
    return write(c, 404, explainMethods(path, methods))
  }

/**
 * Answers every error of a path as `{error: <text>}`, from the verb or from the middleware before it.
 *
 * @source interface.md "Errors"
 */
export const textErrors = () =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    c.set('hasTextErrors', true)
    await next()
  })

/** Connection failures, shutdowns, exhausted resources, and conflicts that a second attempt resolves. */
const transientState = /^(08...|53...|57P0.|40001|40P01|55P03)$/
const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'])
/** The drivers' own failures, which have no code. */
const driverMessages =
  /^(Connection terminated|Client (has encountered a connection error|was closed) and is not queryable|timeout exceeded when trying to connect|Cannot use a pool|PGlite is clos)/

const isTransient = (error: unknown, depth = 0): boolean => {
  if (!(error instanceof Error) || depth > 8) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (transientState.test(code) || networkCodes.has(code) || driverMessages.test(error.message)) return true
  if (error instanceof AggregateError && error.errors.some((inner) => isTransient(inner, depth + 1)))
    return true
  return isTransient(error.cause, depth + 1)
}

/** Returns the error that a caller sees while the database is away, or `undefined` for any other failure. */
const toDatabaseError = (error: unknown): ServiceError | undefined =>
  isTransient(error)
    ? new ServiceError('database-unavailable', 'The service is busy: try again in a few minutes', {
        cause: error,
        retryAfterSeconds: 5,
      })
    : undefined
