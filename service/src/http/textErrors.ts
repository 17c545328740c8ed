import { createMiddleware } from 'hono/factory'
import type { ServiceEnv } from './context.js'

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
