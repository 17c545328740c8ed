import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'
import type { LoadErrorCode } from './loadError.js'

/** The errors of a call to the service. */
export const apiErrors: Omit<ErrorTable<'api'>, LoadErrorCode> = {
  'api.unreachable': {
    message: ({ url }) =>
      `No answer from ${url}. Check the connection and baseUrl; nothing was lost, try again.`,
    remedy: 'retry',
    retryable: true,
  },
  'api.timeout': {
    message: ({ url, timeoutMs }) => `No answer from ${url} in ${timeoutMs / 1000} s. Try again in a moment.`,
    remedy: 'retry',
    retryable: true,
  },
  'api.invalid-answer': {
    message: ({ url, issues }) =>
      `The answer from ${url} is not one this version understands (${issues}). Check that baseUrl names a checkout service, with /api.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'api.bad-request': {
    message: ({ message }) => `The service refused the input: ${message}`,
    remedy: 'fix-app',
    retryable: false,
  },
  'api.unauthorized': {
    message: ({ message }) =>
      `The key, the client secret or the session was not accepted: ${message}. Check it, or sign in again.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'api.forbidden': {
    message: ({ message }) => `This is not allowed: ${message}`,
    remedy: 'fix-app',
    retryable: false,
  },
  'api.not-found': {
    message: ({ message }) => `The service knows no such thing: ${message}`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'api.conflict': {
    message: ({ message }) => `This is not possible now: ${message}`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'api.rate-limited': {
    message: () => 'Too many requests. Wait a moment, then try again.',
    remedy: 'retry',
    retryable: true,
  },
  'api.unavailable': {
    message: () => 'The checkout service is away. Nothing was lost; try again in a few minutes.',
    remedy: 'retry',
    retryable: true,
  },
  'api.failed': {
    message: ({ status, requestId }) =>
      `The checkout service failed (${status}). Try again; if it goes on, tell support request id ${requestId ?? 'unknown'}.`,
    remedy: 'retry',
    retryable: true,
  },
}

/** Creates an error of the `api` area. */
export const apiError = createErrors(apiErrors)
