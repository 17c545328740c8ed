import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod/mini'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { parseInput } from '#base/lib/parseInput.js'
import { readEmail } from '#identity/console/accounts.js'
import { confirmByCode, requestCode } from '#identity/console/codes.js'
import { requestLink, signInByLink } from '#identity/console/links.js'
import {
  addPasskey,
  confirmByPasskey,
  listPasskeys,
  removePasskey,
  signInByPasskey,
  startPasskeySignIn,
  startRegistration,
} from '#identity/console/passkeys.js'
import {
  createSessionFinder,
  endOtherSessions,
  endSession,
  listSessions,
  type SessionActor,
  sessionMs,
  viewSession,
} from '#identity/console/sessions.js'
import { hashSecret } from '#identity/keys/secret.js'
import { auditSession } from '../http/auditSession.js'
import { readCaller } from '../http/authenticate.js'
import { callerNetwork } from '../http/callerAddress.js'
import type { ServiceEnv } from '../http/context.js'
import { type Limit, type RateLimits, rateLimit } from '../http/rateLimit.js'
import { readBody } from '../http/readBody.js'
import { serveBuilt } from '../http/serveBuilt.js'
import { assertSameOrigin, clearSession, readSession, writeSession } from '../http/sessionCookie.js'
import { serveTeam } from './team.js'

const LinkBody = z.object({ token: z.string().check(z.minLength(1), z.maxLength(200)) })
const EmailBody = z.object({ email: z.string().check(z.maxLength(254)) })

const base64url = z.string().check(z.regex(/^[\w-]+$/, 'expected base64url'), z.maxLength(10_000))
const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: z._default(z.object({}), {}),
}
const RegistrationBody = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z._default(
      z
        .array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']))
        .check(z.maxLength(10)),
      [],
    ),
  }),
})
const PasskeyBody = z.object({
  ...credential,
  response: z.object({ clientDataJSON: base64url, authenticatorData: base64url, signature: base64url }),
})

const ConfirmationBody = z.union([z.object({ code: z.string().check(z.maxLength(40)) }), PasskeyBody])

// The same folder for the compiled service and for its sources.
const builtApp = new URL('../../../dist/consoleApp/', import.meta.url)
/** The paths at which the console shows a page. */
const pages = [
  '/',
  '/link',
  '/orders',
  '/orders/:orderId',
  '/collections',
  '/collections/:collectionId',
  '/developers',
  '/developers/webhooks/:endpointId',
  '/developers/webhooks/:endpointId/events/:eventId',
  '/audit-log',
  '/team',
  '/settings',
]

/** The pages run only the console's own files, and no page of another site shows them in a frame. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: https:",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const secureHeaders = createMiddleware(async (c, next) => {
  await next()
  const { headers } = c.res
  headers.set('content-security-policy', contentPolicy)
  headers.set('cross-origin-opener-policy', 'same-origin')
  headers.set('cross-origin-resource-policy', 'same-origin')
  headers.set('referrer-policy', 'no-referrer')
  headers.set('x-content-type-options', 'nosniff')
  headers.set('x-frame-options', 'DENY')
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
})

const sessionOf = (actor: ServiceEnv['Variables']['actor']): SessionActor => {
  if (actor.kind !== 'session') throw new Error('a request of the console has no session')
  return actor
}

/**
 * Serves how people sign in to the console. What they then do there are operations of the interface, which take the
 * session in place of a key.
 */
export const serveConsole = (deps: Deps, limits: RateLimits): Hono<ServiceEnv> => {
  const { config } = deps
  const findSession = createSessionFinder(deps)
  const app = new Hono<ServiceEnv>()
  app.use(secureHeaders)
  app.route('/', serveBuilt(builtApp, pages))

  const count = async (limit: Limit, key: string): Promise<void> => {
    const { isAllowed, resetSeconds } = await limits.count(limit, key)
    if (isAllowed) return
    throw new ServiceError('rate-limited', 'Too many attempts to sign in: wait a minute', {
      retryAfterSeconds: resetSeconds,
    })
  }
  /** Attempts to sign in. They need the same origin too, or another site could sign a person in to its own account. */
  const attempt = createMiddleware<ServiceEnv>(async (c, next) => {
    assertSameOrigin(c, config)
    await count('addressSignInsPerMinute', callerNetwork(c, config.isBehindProxy))
    await next()
  })
  const signedIn = createMiddleware<ServiceEnv>(async (c, next) => {
    const token = readSession(c, config)
    if (!token) throw new ServiceError('key-invalid', 'Sign in first')
    assertSameOrigin(c, config)
    const actor = await findSession(token)
    c.set('actor', actor)
    c.set('credential', token)
    c.set('call', { actor, client: readCaller(c, config.isBehindProxy), complete: async () => {} })
    await next()
  })
  const audit = (operation: string) => auditSession(deps, operation)
  for (const path of ['/account/*', '/members', '/members/*']) {
    app.use(path, signedIn, rateLimit(limits, config.isBehindProxy))
  }
  app.route('/members', serveTeam(deps))

  app.post('/auth/links', attempt, async (c) => {
    const { token: secret } = parseInput(LinkBody, await readBody(c), 'body')
    const client = readCaller(c, config.isBehindProxy)
    const token = await signInByLink(deps, { secret, client, oldToken: readSession(c, config) })
    writeSession(c, config, token, sessionMs)
    return c.json({ isSignedIn: true })
  })
  app.post('/auth/emails', attempt, async (c) => {
    const { email } = parseInput(EmailBody, await readBody(c), 'body')
    const network = callerNetwork(c, config.isBehindProxy)
    // With the network, so that a stranger's requests keep no one else out.
    await count('accountSignInsPerMinute', `${hashSecret(readEmail(email))}:${network}`)
    await requestLink(deps, { email, network })
    return c.json({ isRequested: true })
  })
  app.post('/auth/challenges', attempt, async (c) => c.json(await startPasskeySignIn(deps)))
  app.post('/auth/assertions', attempt, async (c) => {
    const response = parseInput(PasskeyBody, await readBody(c), 'body')
    const network = callerNetwork(c, config.isBehindProxy)
    await count('accountSignInsPerMinute', `${hashSecret(response.id)}:${network}`)
    const client = readCaller(c, config.isBehindProxy)
    const token = await signInByPasskey(deps, { response, client, oldToken: readSession(c, config) })
    writeSession(c, config, token, sessionMs)
    return c.json({ isSignedIn: true })
  })
  app.get('/auth/methods', (c) => c.json({ email: config.smtp !== undefined, passkey: true }))

  app.get('/account/session', async (c) => c.json(await viewSession(deps, sessionOf(c.get('actor')))))
  app.delete('/account/session', audit('signOut'), async (c) => {
    const actor = sessionOf(c.get('actor'))
    await endSession(deps, actor, actor.sessionId)
    clearSession(c, config)
    return c.json({ isSignedIn: false })
  })
  app.get('/account/sessions', async (c) =>
    c.json({ data: await listSessions(deps, sessionOf(c.get('actor'))) }),
  )
  app.delete('/account/sessions', audit('endOtherSessions'), async (c) => {
    await endOtherSessions(deps, sessionOf(c.get('actor')))
    return c.json({})
  })
  app.delete('/account/sessions/:sessionId', audit('endSession'), async (c) => {
    await endSession(deps, sessionOf(c.get('actor')), c.req.param('sessionId') ?? '')
    return c.json({})
  })
  app.post('/account/confirmations/codes', async (c) => {
    const actor = sessionOf(c.get('actor'))
    await count('accountSignInsPerMinute', `code:${actor.accountId}`)
    await requestCode(deps, actor)
    return c.json({ isRequested: true })
  })
  app.post('/account/confirmations', audit('confirmSession'), async (c) => {
    const actor = sessionOf(c.get('actor'))
    await count('accountSignInsPerMinute', `confirmation:${actor.accountId}`)
    const body = parseInput(ConfirmationBody, await readBody(c), 'body')
    if ('code' in body) await confirmByCode(deps, actor, body.code)
    else await confirmByPasskey(deps, actor, body)
    return c.json({ isConfirmed: true })
  })
  app.post('/account/passkeys/registration', async (c) =>
    c.json(await startRegistration(deps, sessionOf(c.get('actor')))),
  )
  app.get('/account/passkeys', async (c) =>
    c.json({ data: await listPasskeys(deps, sessionOf(c.get('actor'))) }),
  )
  app.post('/account/passkeys', audit('addPasskey'), async (c) => {
    const response = parseInput(RegistrationBody, await readBody(c), 'body')
    return c.json(await addPasskey(deps, sessionOf(c.get('actor')), response), 201)
  })
  app.delete('/account/passkeys/:passkeyId', audit('removePasskey'), async (c) => {
    await removePasskey(deps, sessionOf(c.get('actor')), c.req.param('passkeyId') ?? '')
    return c.json({})
  })
  return app
}
