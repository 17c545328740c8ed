import { isSolanaError, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR } from '@solana/kit'
import { ServiceError } from '../../../errors.js'

/** The codes of a node that is behind, starting or overloaded: a later request succeeds. */
const passingCodes: readonly number[] = [-32004, -32005, -32007, -32014, -32016, -32603]

const passingNames: readonly string[] = ['AbortError', 'TimeoutError']

/** Whether the node failed, rather than the requested work. */
const isAway = (error: unknown): boolean => {
  if (isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return true
  if (isSolanaError(error)) return passingCodes.includes(error.context.__code)
  if (!(error instanceof Error)) return false
  // `fetch` throws a TypeError with a cause when nothing answers, and a TimeoutError when its time is up.
  if (error instanceof TypeError) return error.cause !== undefined
  return passingNames.includes(error.name)
}

/**
 * Runs work that needs the node.
 *
 * @throws {ServiceError} `chain-unavailable` if the node cannot be reached or does not answer in time.
 */
export const withNode = async <Result>(chain: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (cause) {
    if (!isAway(cause)) throw cause
    const message = `The chain ${chain} does not answer. Try again in a few minutes.`
    throw new ServiceError('chain-unavailable', message, { cause, isOutage: true, retryAfterSeconds: 5 })
  }
}
