import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'
import type { LoadErrorCode } from './loadError.js'

/** The errors of a call to the service. */
export const apiErrors: Omit<ErrorTable<'api'>, LoadErrorCode> = {
  'api.unreachable': {
    message: ({ url }) =>
      `No response from ${url}. Nothing was lost. Check the connection and baseUrl, then try again.`,
    remedy: 'retry',
    retryable: true,
  },
  'api.timeout': {
    message: ({ url, timeoutMs }) =>
      `No response from ${url} within ${timeoutMs / 1000} s. Try again in a moment.`,
    remedy: 'retry',
    retryable: true,
  },
  'api.invalid-answer': {
    message: ({ url, issues }) =>
      `Unexpected response from ${url} (${issues}). Check that baseUrl points to a checkout service, with /api.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'api.bad-request': {
    message: ({ message }) => `Invalid request: ${message}`,
    remedy: 'fix-app',
    retryable: false,
  },
  'api.unauthorized': {
    message: ({ message }) =>
      `Not authenticated: ${message}. Check the key or client secret, or sign in again.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'api.forbidden': {
    message: ({ message }) => `Not allowed: ${message}`,
    remedy: 'fix-app',
    retryable: false,
  },
  'api.not-found': {
    // The service's message may already say so.
    message: ({ message }) => (message.startsWith('Not found') ? message : `Not found: ${message}`),
    remedy: 'contact-shop',
    retryable: false,
  },
  'api.conflict': {
    message: ({ message }) => `Conflict: ${message}`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'api.rate-limited': {
    message: () => 'Too many requests. Wait a moment, then try again.',
    remedy: 'retry',
    retryable: true,
  },
  'api.unavailable': {
    message: () =>
      'The checkout service is temporarily unavailable. Nothing was lost. Try again in a few minutes.',
    remedy: 'retry',
    retryable: true,
  },
  'api.failed': {
    message: ({ status, requestId }) =>
      `The checkout service failed (${status}). Try again. If the error persists, contact support with request id ${requestId ?? 'unknown'}.`,
    remedy: 'retry',
    retryable: true,
  },
}

/** Creates an error of the `api` area. */
export const apiError = createErrors(apiErrors)
