import { ServiceError } from '../errors.js'
import { refuse } from './refuse.js'

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined

/** What went wrong on the network may name addresses that are nobody's business: only its kind is told. */
const describe = (error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error
  const isUnknownHost = ['ENOTFOUND', 'ENODATA'].includes(String(codeOf(error)))
  return refuse(isUnknownHost ? 'names a host that does not exist' : 'could not be reached')
}

/**
 * Runs a request that is cut off when its time is over.
 *
 * @throws {ServiceError} `input-invalid`, whatever went wrong.
 */
export const beforeDeadline = async <Answer>(
  timeoutMs: number,
  run: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> => {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  // While a connection is being made the request does not hear the signal.
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
