import { createMiddleware } from 'hono/factory'
import { ServiceError } from '#base/errors.js'
import type { ServiceEnv } from './context.js'

/** Runs a request, unless `watch` rejects it first. `watch` gets a function that plans its next step. */
const race = async (
  next: () => Promise<void>,
  watch: (plan: (step: () => void, ms: number) => void, reject: (error: ServiceError) => void) => void,
): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const plan = (step: () => void, ms: number) => {
    if (!isOver) timer = setTimeout(step, ms)
  }
  const late = new Promise<never>((_, reject) => watch(plan, reject))
  try {
    await Promise.race([next(), late])
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}

/** Answers with a timeout if the answer takes too long. */
export const deadline = (ms: number) =>
  createMiddleware<ServiceEnv>((_, next) =>
    race(next, (plan, reject) => {
      plan(() => {
        reject(new ServiceError('timeout', 'A timeout occurred: try again', { retryAfterSeconds: 5 }))
      }, ms)
    }),
  )

/** How long a request runs before the database is looked at, so that it is answered within ten seconds. */
const lookEveryMs = 7_000

/**
 * Answers a request that waits for a database that does not answer. One that waits for anything else goes on. What the
 * request does is not undone: a write may still happen once the database is back, and its idempotency key finds it then.
 *
 * @param isAnswering - Whether the database answers, within two seconds.
 */
export const databaseDeadline = (isAnswering: () => Promise<boolean>) =>
  createMiddleware<ServiceEnv>((_, next) =>
    race(next, (plan, reject) => {
      const look = async (): Promise<void> => {
        if (await isAnswering()) return plan(look, lookEveryMs)
        const message =
          'The service is busy: try again in a few minutes. Send a write with the same x-idempotency-key, because it may have happened.'
        reject(new ServiceError('database-unavailable', message, { retryAfterSeconds: 5 }))
      }
      plan(look, lookEveryMs)
    }),
  )
