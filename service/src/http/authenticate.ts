import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { assertScope, type WantedScope } from '../authorize.js'
import type { Actor, Call } from '../call.js'
import type { Config } from '../config/config.js'
import type { Database } from '../db/database.js'
import { orders } from '../db/tables/index.js'
import { ServiceError } from '../errors.js'
import { assertWellFormedKey, findKey } from '../keys/apiKeys.js'
import { isSecret } from '../keys/secret.js'
import { callerAddress } from './callerAddress.js'
import type { ServiceEnv } from './context.js'
import { orderIdOf } from './orderIdOf.js'

/** Finds the order that a client secret opens. */
const findSecret = async (
  db: Database,
  orderId: string,
  secret: string,
): Promise<{ orderId: string; projectId: string } | undefined> => {
  const [order] = await db
    .select({ projectId: orders.projectId, clientSecretHash: orders.clientSecretHash })
    .from(orders)
    .where(eq(orders.id, orderId))
  if (!order || !isSecret(secret, order.clientSecretHash)) return undefined
  return { orderId, projectId: order.projectId }
}

/** Whether a web page is served from the local machine, on any port. */
const isLoopbackOrigin = (origin: string): boolean =>
  /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/.test(origin)

/**
 * The callers that may use a route: holders of a key with the scope and, if the route says so, of the order's
 * client secret.
 */
export type RouteAuth = { scope: WantedScope; isSecretAccepted?: boolean }

type AuthenticateDeps = {
  db: Database
  config: Pick<Config, 'environment' | 'isSandbox' | 'isBehindProxy'>
}

const longestUserAgent = 500

/** Returns what a request shows about its origin, as far as other parts may store it. */
const readCaller = (c: Context<ServiceEnv>, isBehindProxy: boolean): Call['client'] => {
  const userAgent = c.req.header('user-agent')?.slice(0, longestUserAgent)
  return { ipAddress: callerAddress(c, isBehindProxy), ...(userAgent && { userAgent }) }
}

const readSecret = (c: Context): string | undefined =>
  c.req
    .header('authorization')
    ?.replace(/^bearer\s+/i, '')
    .trim() || undefined

const byKey = async (
  { db, config }: AuthenticateDeps,
  c: Context,
  scope: WantedScope,
  key: string,
): Promise<Actor> => {
  const known = await findKey(db, config.environment, key)
  const origin = c.req.header('origin')
  const isAllowed = (page: string) =>
    known.origins.includes(page) || (config.isSandbox && isLoopbackOrigin(page))
  // A request without an origin does not come from a web page, and outside a browser the header would prove
  // nothing.
  if (known.kind === 'client' && origin !== undefined && !isAllowed(origin)) {
    throw new ServiceError('forbidden', `The origin ${origin} is not allowed for this client key`)
  }
  assertScope(known.scopes, scope)
  return {
    kind: known.kind === 'server' ? 'server-key' : 'client-key',
    keyId: known.id,
    projectId: known.projectId,
    scopes: known.scopes,
  }
}

const bySecret = async ({ db }: AuthenticateDeps, c: Context, secret: string): Promise<Actor> => {
  const opened = await findSecret(db, orderIdOf(c), secret)
  if (!opened) throw new ServiceError('key-invalid', 'Authorization: not the client secret of this order')
  return { kind: 'client-secret', ...opened }
}

/**
 * Authenticates the caller, and refuses one without permission. A client secret takes precedence over an API
 * key, which then only needs to be well-formed.
 */
export const authenticate = (deps: AuthenticateDeps, auth: RouteAuth) =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    const key = c.req.header('x-api-key')
    const stated = auth.isSecretAccepted ? readSecret(c) : undefined
    // Generated clients may send one credential under both headers.
    const secret = stated === key ? undefined : stated
    if (key !== undefined) assertWellFormedKey(key)
    const credential = secret ?? key
    if (credential === undefined) {
      const what = auth.isSecretAccepted ? 'X-API-KEY or Authorization' : 'X-API-KEY'
      throw new ServiceError('key-invalid', `${what}: required`)
    }
    const actor = secret ? await bySecret(deps, c, secret) : await byKey(deps, c, auth.scope, credential)
    c.set('actor', actor)
    c.set('credential', credential)
    c.set('call', { actor, client: readCaller(c, deps.config.isBehindProxy), complete: async () => {} })
    await next()
  })
