import { createMiddleware } from 'hono/factory'
import type { ServiceEnv } from './context.js'

/** While the process stops, tells callers not to keep their connection for another request. */
export const sayGoodbye = (isStopping: () => boolean) =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    await next()
    if (isStopping()) c.header('connection', 'close')
  })
