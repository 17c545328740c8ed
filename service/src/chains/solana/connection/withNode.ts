import { isSolanaError, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR } from '@solana/kit'
import { classifyStatus, createChainUnavailable, type NodeFailure } from '../../../lib/nodeFailure.js'

/** The error of a node whose answer says why it did not do what it was asked. */
export class NodeFailureError extends Error {
  readonly failure: NodeFailure

  constructor(failure: NodeFailure, message: string) {
    super(message)
    this.failure = failure
  }
}

/** The codes of a node that is behind, starting or overloaded: a later request succeeds. */
const passingCodes: readonly number[] = [-32004, -32005, -32007, -32014, -32016, -32603]

const passingNames: readonly string[] = ['AbortError', 'TimeoutError']

/**
 * Says what an error tells of the node that answered, or did not.
 *
 * @returns `undefined` if it is about the requested work.
 */
const classifyNodeError = (error: unknown): NodeFailure | undefined => {
  if (error instanceof NodeFailureError) return error.failure
  if (isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) {
    return classifyStatus(error.context.statusCode) ?? 'away'
  }
  if (isSolanaError(error)) return passingCodes.includes(error.context.__code) ? 'away' : undefined
  if (!(error instanceof Error)) return undefined
  // `fetch` throws a TypeError with a cause when nothing answers, and a TimeoutError when its time is up.
  const isUnanswered =
    error instanceof TypeError ? error.cause !== undefined : passingNames.includes(error.name)
  return isUnanswered ? 'away' : undefined
}

/**
 * Runs work that needs the node.
 *
 * @throws {ServiceError} `chain-unavailable` if the node cannot be reached, does not answer in time, limits how much it
 * is asked or refuses the service.
 */
export const withNode = async <Result>(chain: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (cause) {
    const failure = classifyNodeError(cause)
    if (failure === undefined) throw cause
    throw createChainUnavailable(chain, failure, cause)
  }
}
