import type { PublicClient } from 'viem'
import { ServiceError } from '#base/errors.js'
import type { EvmChainOptions } from '../evmChainOptions.js'
import { openClient } from './connect.js'
import { withNode } from './rpc.js'

/** Runs a read of the first node; while that fails, runs it at the second one, if there is one. */
export type AskFallback = <Result>(
  first: () => Promise<Result>,
  work: (client: PublicClient) => Promise<Result>,
) => Promise<Result>

/**
 * Creates the fallback of a chain's reads. It is for balances and price feeds only: two nodes may show two states, and
 * payments, nonces and receipts must be of one.
 */
export const createAskFallback = (options: EvmChainOptions): AskFallback => {
  const { chain, fallbackUrl } = options
  return async (first, work) => {
    try {
      return await first()
    } catch (error) {
      const isAway = error instanceof ServiceError && error.code === 'chain-unavailable'
      if (fallbackUrl === undefined || !isAway) throw error
      return withNode(chain, async () =>
        work(await openClient({ ...options, rpcUrl: async () => fallbackUrl })),
      )
    }
  }
}
