import { isKassaError } from '../api/index.js'

/** Whether an error means that the service's answer was lost, so that the outcome is unknown. */
export const isUnanswered = (error: unknown): boolean =>
  isKassaError(error) && (error.retryable || error.code === 'api.invalid-answer')
