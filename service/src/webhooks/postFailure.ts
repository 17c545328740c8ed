import { ServiceError } from '../errors.js'

/** Why an answer means that the event did not arrive, in words that hold nothing of the answer; or undefined. */
export const describeStatus = (status: number): string | undefined => {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) return `answered with a redirect (${status}), which is not followed`
  return `answered with status ${status}`
}

/** Why there was no answer, in words that hold nothing of the address: it may carry a secret. */
export const describeSilence = (error: unknown): string =>
  error instanceof ServiceError ? error.message : 'could not be reached'
