import { Hono } from 'hono'
import type { Deps } from '#base/deps.js'
import type { ServiceEnv } from '../http/context.js'
import { type RateLimits, rateLimit } from '../http/rateLimit.js'
import { secureHeaders } from '../http/secureHeaders.js'
import { serveBuilt } from '../http/serveBuilt.js'
import { serveAccount } from './account.js'
import { createConsoleGuards } from './consoleGuards.js'
import { serveSignIn } from './signIn.js'
import { serveTeam } from './team.js'

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
  '/payment-links',
  '/developers',
  '/developers/webhooks/:endpointId',
  '/developers/webhooks/:endpointId/events/:eventId',
  '/audit-log',
  '/team',
  '/settings',
]

/**
 * Serves the console's pages and how people sign in to them. What they then do there are operations of the interface,
 * which take the session in place of a key.
 */
export const serveConsole = (deps: Deps, limits: RateLimits): Hono<ServiceEnv> => {
  const guards = createConsoleGuards(deps, limits)
  const app = new Hono<ServiceEnv>()
  app.use(secureHeaders)
  app.route('/', serveBuilt(builtApp, pages))
  for (const path of ['/account/*', '/members', '/members/*']) {
    app.use(path, guards.signedIn, rateLimit(limits, deps.config.isBehindProxy))
  }
  app.route('/members', serveTeam(deps))
  app.route('/auth', serveSignIn(deps, guards))
  app.route('/account', serveAccount(deps, guards))
  return app
}
