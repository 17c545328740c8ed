import { Hono } from 'hono'
import type { Deps } from '#base/deps.js'
import { createSessionFinder } from '#identity/console/sessions.js'
import { createKeyFinder } from '#identity/keys/createKeyFinder.js'
import { allowBrowsers } from './http/allowBrowsers.js'
import { createSecretFinder } from './http/authenticate.js'
import { closeConnection } from './http/closeConnection.js'
import type { ServiceEnv } from './http/context.js'
import { databaseDeadline } from './http/deadline.js'
import type { Health, Readiness } from './http/health.js'
import { type MeasuredRequest, measure } from './http/measure.js'
import { onError, onNotFound, textErrors, versionPath } from './http/onError.js'
import type { RateLimits } from './http/rateLimit.js'
import { limitBody } from './http/readBody.js'
import { requestId, requestLog } from './http/requestLog.js'
import { createDocument } from './openapi/createDocument.js'
import { serveDocs } from './openapi/serveDocs.js'
import { serveConsole } from './routes/console.js'
import { serveFiles } from './routes/files.js'
import { routes } from './routes/index.js'
import { type PayRules, servePay } from './routes/pay.js'
import { servedPath } from './routes/route.js'
import { serveRoute } from './routes/serveRoute.js'
import { serveX402 } from './routes/x402.js'

/** What the app needs. */
export type AppParameters = {
  deps: Deps
  limits: RateLimits
  checkHealth(): Promise<Health>
  checkReadiness(): Promise<Readiness>
  /** Whether the process was signalled to stop. */
  isStopping(): boolean
  /** Called for every request. */
  record(request: MeasuredRequest): void
  /** Where the deployment takes payments, for the pages of payment links. */
  payRules?: PayRules
  /** The sandbox's own paths, if this deployment is a sandbox. */
  sandbox?: Hono<ServiceEnv>
  /** The sandbox's server key, which the page of the interface is filled with. */
  sandboxKey?: string
}

/** Creates the whole service as a function from request to response. The caller listens. */
export const createApp = (parameters: AppParameters): Hono<ServiceEnv> => {
  const { deps, limits, checkHealth, checkReadiness, isStopping, record, payRules, sandbox, sandboxKey } =
    parameters
  // Existing clients write the paths of lists with a slash at the end.
  const app = new Hono<ServiceEnv>({ strict: false })
  app.onError(onError(deps.log))
  app.notFound(onNotFound(app.routes, deps.config.publicUrl))
  app.use(requestId(deps.randomBytes), closeConnection(isStopping))
  // Both come before the log, which they would fill.
  app.get('/live', (c) => c.json({ status: 'live' }))
  // Only the operator sees the reason.
  app.get('/ready', async (c) => {
    const { status } = await checkReadiness()
    return c.json({ status }, status === 'ready' ? 200 : 503)
  })
  app.use(requestLog(deps.log, deps.now), measure(record, deps.now))
  app.use(databaseDeadline(async () => (await checkReadiness()).database === 'up'))
  app.use('/api/2022-06-09/orders', allowBrowsers())
  app.use('/api/2022-06-09/orders/*', allowBrowsers())
  app.use('/api/x402/*', allowBrowsers())
  // A page with a wrong base URL can read why nothing is here.
  app.use(`${versionPath}*`, allowBrowsers())
  for (const route of routes) if (route.errorForm) app.use(servedPath(route), textErrors())
  app.use(limitBody(new Set(routes.filter(({ isUpload }) => isUpload).map(servedPath))))

  const callers = {
    findKey: createKeyFinder(deps),
    findSecret: createSecretFinder(deps),
    findSession: createSessionFinder(deps),
    config: deps.config,
  }
  for (const route of routes) serveRoute(app, { deps, limits, callers }, route)

  app.route('/api', serveX402(deps, limits))

  const document = createDocument(routes, deps.config.publicUrl)
  app.get('/openapi.json', (c) => c.json(document))
  app.route('/docs', serveDocs({ publicUrl: deps.config.publicUrl, sandboxKey }))
  app.route('/console', serveConsole(deps, limits))
  app.route('/pay', servePay(deps, limits, payRules))
  app.route('/ipfs', serveFiles(deps, limits))
  app.get('/health', async (c) => {
    const health = await checkHealth()
    return c.json(health, health.status === 'up' ? 200 : 503)
  })
  if (sandbox) app.route('/', sandbox)
  return app
}
