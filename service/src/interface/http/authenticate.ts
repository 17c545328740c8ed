import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { noCredentials, readCredentials, wrongSecret } from 'kassa/engine'
import type { Actor, Call } from '#base/call.js'
import type { Config } from '#base/config/config.js'
import { orders } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError, toServiceError } from '#base/errors.js'
import { createCache } from '#base/lib/createCache.js'
import { isLoopbackOrigin } from '#base/lib/isLoopbackOrigin.js'
import { assertScope, holderOf, type WantedScope } from '#identity/authorize.js'
import type { SessionFinder } from '#identity/console/sessions.js'
import type { KeyFinder } from '#identity/keys/createKeyFinder.js'
import { isSecret } from '#identity/keys/secret.js'
import { callerAddress, callerNetwork } from './callerAddress.js'
import type { ServiceEnv } from './context.js'
import { orderIdOf } from './orderIdOf.js'
import { assertSameOrigin, readSession } from './sessionCookie.js'

/** What a client secret opens, and its hash. Neither changes after the order is created. */
type OrderSecret = { projectId: string; clientSecretHash: string }

/** Finds the order that a client secret opens. */
export type SecretFinder = (
  orderId: string,
  secret: string,
) => Promise<{ orderId: string; projectId: string }>

const maxSecrets = 10_000
const keepSecretsMs = 60 * 60_000

/** Creates a finder of client secrets that remembers those of the orders in use. */
export const createSecretFinder = ({ db, now }: Pick<Deps, 'db' | 'now'>): SecretFinder => {
  const known = createCache<OrderSecret>(maxSecrets, keepSecretsMs, now)
  const read = async (orderId: string): Promise<OrderSecret> => {
    const [order] = await db
      .select({ projectId: orders.projectId, clientSecretHash: orders.clientSecretHash })
      .from(orders)
      .where(eq(orders.id, orderId))
    // A failed read is not kept, so that an order that is created later is found.
    if (!order) throw toServiceError(wrongSecret())
    return order
  }
  return async (orderId, secret) => {
    const order = await known.get(orderId, () => read(orderId))
    if (!isSecret(secret, order.clientSecretHash)) throw toServiceError(wrongSecret())
    return { orderId, projectId: order.projectId }
  }
}

/**
 * The callers that may use a route: holders of a key with the scope and, if the route says so, of the order's
 * client secret.
 */
export type RouteAuth = { scope: WantedScope; isSecretAccepted?: boolean }

/** What authenticating a caller needs. */
export type AuthenticateDeps = {
  findKey: KeyFinder
  findSecret: SecretFinder
  findSession: SessionFinder
  config: Pick<Config, 'environment' | 'isSandbox' | 'isBehindProxy' | 'publicUrl'>
}

const longestUserAgent = 500

/** Returns what a request shows about its origin, as far as other parts may store it. */
export const readCaller = (c: Context<ServiceEnv>, isBehindProxy: boolean): Call['client'] => {
  const userAgent = c.req.header('user-agent')?.slice(0, longestUserAgent)
  return {
    ipAddress: callerAddress(c, isBehindProxy),
    network: callerNetwork(c, isBehindProxy),
    ...(userAgent && { userAgent }),
  }
}

const byKey = async (
  { findKey, config }: AuthenticateDeps,
  c: Context,
  { scope, key }: { scope: WantedScope; key: string },
): Promise<Actor> => {
  const known = await findKey(key)
  const origin = c.req.header('origin')
  const isAllowed = (page: string) =>
    known.origins.includes(page) || (config.isSandbox && isLoopbackOrigin(page))
  // A request without an origin does not come from a web page, and outside a browser the header would prove
  // nothing.
  if (known.kind === 'client' && origin !== undefined && !isAllowed(origin)) {
    throw new ServiceError('forbidden', `The origin ${origin} is not allowed for this client key`)
  }
  // The page of the interface, which this service serves, sends the key that its reader has entered.
  if (known.kind === 'server' && origin !== undefined && origin !== new URL(config.publicUrl).origin) {
    throw new ServiceError(
      'forbidden',
      `A server key was sent from a page of ${origin}, where everyone can read it. Revoke this key. Call the service from your own server, or use a client key (ck_…) in the page`,
    )
  }
  assertScope(known.scopes, scope)
  return {
    kind: known.kind === 'server' ? 'server-key' : 'client-key',
    keyId: known.id,
    projectId: known.projectId,
    scopes: known.scopes,
  }
}

const bySession = async (
  { findSession, config }: AuthenticateDeps,
  c: Context,
  { scope, token }: { scope: WantedScope; token: string },
): Promise<Actor> => {
  assertSameOrigin(c, config)
  const actor = await findSession(token)
  assertScope(actor.scopes, scope, holderOf(actor.role))
  return actor
}

/**
 * Authenticates the caller, and refuses one without permission. The cookie of the console counts only without a client
 * secret and an API key.
 */
export const authenticate = (deps: AuthenticateDeps, auth: RouteAuth) =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    const stated = { key: c.req.header('x-api-key'), authorization: c.req.header('authorization') }
    const { key, secret } = checkInput(() => readCredentials(stated, auth.isSecretAccepted ?? false))
    const session = (secret ?? key) === undefined ? readSession(c, deps.config) : undefined
    const credential = secret ?? key ?? session
    if (credential === undefined) throw toServiceError(noCredentials(auth.isSecretAccepted ?? false))
    const actor: Actor = secret
      ? { kind: 'client-secret', ...(await deps.findSecret(orderIdOf(c), secret)) }
      : session
        ? await bySession(deps, c, { scope: auth.scope, token: session })
        : await byKey(deps, c, { scope: auth.scope, key: credential })
    c.set('actor', actor)
    c.set('credential', credential)
    c.set('call', { actor, client: readCaller(c, deps.config.isBehindProxy), complete: async () => {} })
    await next()
  })
