import {
  BaseError,
  BlockNotFoundError,
  HttpRequestError,
  InternalRpcError,
  InvalidParamsRpcError,
  LimitExceededRpcError,
  ResourceUnavailableRpcError,
  TimeoutError,
} from 'viem'
import { ServiceError } from '../../../errors.js'
import { readHalt } from './readHalt.js'

/**
 * Errors of a node that is down, overloaded, failing or behind, or that a reorganisation has overtaken. A
 * later request succeeds. Every request is well-formed, so parameters that a node calls invalid name a block
 * that it does not have yet.
 */
const passing = [
  BlockNotFoundError,
  HttpRequestError,
  InternalRpcError,
  InvalidParamsRpcError,
  LimitExceededRpcError,
  ResourceUnavailableRpcError,
  TimeoutError,
]

/** Whether the node failed, rather than the requested work. */
export const isAway = (error: unknown): boolean =>
  error instanceof BaseError &&
  // For a halted call, nodes use the same code as for their own failures.
  readHalt(error) === undefined &&
  error.walk((cause) => passing.some((kind) => cause instanceof kind)) !== null

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
    throw new ServiceError(
      'chain-unavailable',
      `The chain ${chain} does not answer. Try again in a few minutes.`,
      {
        cause,
        isOutage: true,
        retryAfterSeconds: 5,
      },
    )
  }
}
