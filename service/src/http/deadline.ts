import { createMiddleware } from 'hono/factory'
import { ServiceError } from '../errors.js'
import type { ServiceEnv } from './context.js'

/** Answers with a timeout if the answer takes too long. */
export const deadline = (ms: number) =>
  createMiddleware<ServiceEnv>(async (_, next) => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new ServiceError('timeout', 'A timeout occurred: try again', { retryAfterSeconds: 5 }))
      }, ms)
    })
    try {
      await Promise.race([next(), late])
    } finally {
      clearTimeout(timer)
    }
  })
