import type { Context, Hono, MiddlewareHandler } from 'hono'
import { clip, isNotModified } from 'kassa/engine'
import { ignoredFieldsHeader } from 'kassa/schema'
import type { Deps } from '#base/deps.js'
import { etagOf } from '#base/lib/etag.js'
import { printAnswer, printOnce } from '#base/lib/printOnce.js'
import { auditSession, namePath } from '../http/auditSession.js'
import { type AuthenticateDeps, authenticate } from '../http/authenticate.js'
import { callerNetwork } from '../http/callerAddress.js'
import type { ServiceEnv } from '../http/context.js'
import { deadline } from '../http/deadline.js'
import { idempotency } from '../http/idempotency.js'
import { orderIdOf } from '../http/orderIdOf.js'
import { type RateLimits, rateLimit } from '../http/rateLimit.js'
import { readBody } from '../http/readBody.js'
import { readUpload } from '../http/readUpload.js'
import { sendCsv } from '../http/sendCsv.js'
import { sendEvents } from '../http/sendEvents.js'
import { type Route, servedPath } from './route.js'

/** What all routes share. */
type RouteDeps = { deps: Deps; limits: RateLimits; callers: AuthenticateDeps }

/** Serves one route: authentication, rate limit, idempotency, then the verb. */
export const serveRoute = (
  app: Hono<ServiceEnv>,
  { deps, limits, callers }: RouteDeps,
  route: Route,
): void => {
  const before: MiddlewareHandler<ServiceEnv>[] = [
    ...(route.deadlineMs ? [deadline(route.deadlineMs)] : []),
    authenticate(callers, route.auth),
    rateLimit(limits, deps.config.isBehindProxy),
    // What leaves as a file is written down like a change.
    ...(route.method === 'get' && !route.isCsv ? [] : [auditSession(deps, route.operationId)]),
    ...(route.method === 'post' && !route.isUpload ? [idempotency(deps)] : []),
  ]
  app.on([route.method.toUpperCase()], [servedPath(route)], ...before, async (c) => {
    const params = { ...c.req.param(), ...(route.path.includes('{orderId}') && { orderId: orderIdOf(c) }) }
    const body = route.body ? await readBody(c, route.isBodyOptional) : undefined
    const file = route.isUpload ? await readUpload(c) : undefined
    const lastEventId = c.req.header('last-event-id')
    const network = callerNetwork(c, deps.config.isBehindProxy)
    const input = { params, query: c.req.query(), body, network, lastEventId, file }
    const reply = await route.run(deps, c.get('call'), input)
    if (reply.resource !== undefined) c.set('auditResource', [...namePath(c), reply.resource].join(' '))
    // Clients of other services may send more than this one knows, so nothing but a header tells of it.
    if (deps.config.environment === 'staging' && reply.ignored.length) {
      c.header(ignoredFieldsHeader, writeIgnored(reply.ignored))
    }
    if (reply.body instanceof ReadableStream) {
      return route.isCsv ? sendCsv(c, reply.body) : sendEvents(c, reply.body)
    }
    if (route.isRevalidated) return answerTagged(c, reply.body as object)
    const stored = c.get('stored')
    return c.body(stored?.text ?? printAnswer(reply.body), stored?.status ?? reply.status, json)
  })
}

/** @units characters */
const longestIgnored = 500

/** Writes paths of fields as a header, whatever characters a caller has put into them. */
const writeIgnored = (paths: readonly string[]): string =>
  paths
    .map((path) => clip(path, longestIgnored).replace(/\p{Cs}/gu, '\ufffd'))
    .map((path) => path.replace(/[^\w.[\]-]+/gu, encodeURIComponent))
    .join(', ')
    .slice(0, longestIgnored)

const json = { 'content-type': 'application/json' } as const

/** The tags of answers that a verb gave before and may give again. */
const tags = new WeakMap<object, string>()

/** Answers with a strong `ETag`, or with 304 to a caller that has the same answer. */
const answerTagged = (c: Context<ServiceEnv>, body: object): Response => {
  const text = printOnce(body)
  const etag = tags.get(body) ?? etagOf(text)
  tags.set(body, etag)
  const headers = { etag, 'cache-control': 'private, no-cache', vary: 'Authorization, X-API-KEY' }
  if (isNotModified(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)
  return c.body(text, 200, { ...json, ...headers })
}
