import { isKassaError } from 'kassa/api'

/** Returns the sentence of the service, where it refused something, and otherwise that of the error. */
export const describeError = (error: unknown): string => {
  if (isKassaError(error) && 'message' in error.context) return String(error.context.message)
  return error instanceof Error ? error.message : String(error)
}

/** Whether the session has ended. */
export const isSignedOut = (error: unknown): boolean =>
  isKassaError(error, 'api.unauthorized') ||
  (error instanceof Error && 'status' in error && error.status === 401)
