import { BaseError, HttpRequestError, type PublicClient, TimeoutError } from 'viem'
import { ServiceError } from '../../errors.js'

/** A connection to one chain's node, opened when first used. */
export type GetClient = () => Promise<PublicClient>

const isAway = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) !== null

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
        retryAfterSeconds: 5,
      },
    )
  }
}
