import { Hono } from 'hono'
import type { Metrics } from './createMetrics.js'
import { type ScrapeDeps, updateMetrics } from './updateMetrics.js'

/** Creates the app for the operator's monitoring, on a listener that clients do not reach. */
export const createMetricsApp = (metrics: Metrics, deps: ScrapeDeps): Hono => {
  const app = new Hono()
  app.get('/metrics', async (c) => {
    await updateMetrics(metrics, deps)
    return c.body(await metrics.registry.metrics(), 200, { 'content-type': metrics.registry.contentType })
  })
  app.get('/ready', async (c) => {
    const readiness = await deps.checkReadiness()
    return c.json(readiness, readiness.status === 'ready' ? 200 : 503)
  })
  return app
}
