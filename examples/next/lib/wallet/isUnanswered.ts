import { isKassaError } from 'kassa/api'

const codes = ['api.unreachable', 'api.timeout', 'api.unavailable', 'api.failed', 'api.invalid-answer']

/** Whether nobody knows if the service did what it was asked for: its answer is what was lost, perhaps. */
export const isUnanswered = (error: unknown): boolean => isKassaError(error) && codes.includes(error.code)
