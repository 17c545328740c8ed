import { ServiceError } from '../errors.js'

/**
 * Returns why an answer means that the event did not arrive, without any of the answer's content, or
 * `undefined` if it arrived.
 */
export const describeStatus = (status: number): string | undefined => {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) return `answered with a redirect (${status}), which is not followed`
  return `answered with status ${status}`
}

/** Returns why there was no answer, without any of the address, which may contain a secret. */
export const describeSilence = (error: unknown): string =>
  error instanceof ServiceError ? error.message : 'could not be reached'
