import { ServiceError } from '../errors.js'

/** Connection failures, shutdowns, exhausted resources, and conflicts that a second attempt resolves. */
const transientState = /^(08...|53...|57P0.|40001|40P01|55P03)$/
const networkCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'])
/** The drivers' own failures, which have no code. */
const driverMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Cannot use a pool|PGlite is clos)/

const isTransient = (error: unknown, depth = 0): boolean => {
  if (!(error instanceof Error) || depth > 8) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (transientState.test(code) || networkCodes.has(code) || driverMessages.test(error.message)) return true
  if (error instanceof AggregateError && error.errors.some((inner) => isTransient(inner, depth + 1)))
    return true
  return isTransient(error.cause, depth + 1)
}

/** Returns the error that a caller sees while the database is away, or `undefined` for any other failure. */
export const toDatabaseError = (error: unknown): ServiceError | undefined =>
  isTransient(error)
    ? new ServiceError('database-unavailable', 'The service is busy: try again in a few minutes', {
        cause: error,
        retryAfterSeconds: 5,
      })
    : undefined
