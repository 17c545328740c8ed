import { isKassaError } from '../api/index.js'

/** Whether after an error nobody knows if the service did what it was asked for: its answer is what was lost. */
export const isUnanswered = (error: unknown): boolean =>
  isKassaError(error) && (error.retryable || error.code === 'api.invalid-answer')
