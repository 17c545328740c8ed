import { createMiddleware } from 'hono/factory'
import type { ServiceEnv } from './context.js'

/**
 * Has every error of a path answered as `{error: <text>}`, whoever refuses: the verb, or what stands before it.
 *
 * @source interface.md "Errors"
 */
export const textErrors = () =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    c.set('hasTextErrors', true)
    await next()
  })
