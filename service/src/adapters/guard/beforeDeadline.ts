import { ServiceError } from '#base/errors.js'
import { refuse } from './checkUrl.js'

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined

/** Describes a network error by its kind only, because its message may contain internal addresses. */
const describe = (error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error
  const isUnknownHost = ['ENOTFOUND', 'ENODATA'].includes(String(codeOf(error)))
  return refuse(isUnknownHost ? 'names a host that does not exist' : 'could not be reached')
}

/**
 * Runs a request and aborts it at its deadline.
 *
 * @throws {ServiceError} `input-invalid` for any failure.
 */
export const beforeDeadline = async <Answer>(
  timeoutMs: number,
  run: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> => {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  // While a connection is being made, the request does not react to the signal.
  const cut = new Promise<never>((_, reject) => {
    late.signal.addEventListener('abort', () =>
      reject(refuse(`did not answer in full within ${timeoutMs / 1000} seconds`)),
    )
  })
  try {
    return await Promise.race([cut, run(late.signal).catch((error) => Promise.reject(describe(error)))])
  } finally {
    clearTimeout(timer)
  }
}
