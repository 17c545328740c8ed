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
import { ServiceError } from '../../errors.js'
import { readHalt } from './readHalt.js'

/**
 * A node that is down, overloaded, failing, behind, or was overtaken by a reorganisation: later it will answer. What
 * is asked is well-formed, so parameters it calls invalid name a block that it does not have yet.
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

/** Whether it is the node that failed, and not what it was asked to do. */
export const isAway = (error: unknown): boolean =>
  error instanceof BaseError &&
  // Nodes answer with the code of their own failures here too.
  readHalt(error) === undefined &&
  error.walk((cause) => passing.some((kind) => cause instanceof kind)) !== null

/**
 * Does something that needs the node.
 *
 * @throws {ServiceError} `chain-unavailable` when the node cannot be reached or does not answer in time.
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
