import type { Rpc, SolanaRpcApi } from '@solana/kit'
import { ServiceError } from '#base/errors.js'
import type { SolanaChainOptions } from '../solanaChainOptions.js'
import type { ClusterCheck } from './clusterCheck.js'
import { openRpc } from './connect.js'
import { withNode } from './withNode.js'

/** Runs a read at the first node. While that node fails, runs it at the second one, if there is one. */
export type AskFallback = <Result>(
  first: () => Promise<Result>,
  work: (rpc: Rpc<SolanaRpcApi>) => Promise<Result>,
) => Promise<Result>

/**
 * Creates the fallback of a chain's reads. It is for balances only: two nodes may show two states, and payments and
 * transactions must be of one.
 */
export const createAskFallback = (
  { chain, fallbackUrl }: Pick<SolanaChainOptions, 'chain' | 'fallbackUrl'>,
  check: ClusterCheck | undefined,
): AskFallback => {
  return async (first, work) => {
    try {
      return await first()
    } catch (error) {
      const isAway = error instanceof ServiceError && error.code === 'chain-unavailable'
      if (fallbackUrl === undefined || !isAway) throw error
      return withNode(chain, async () =>
        work(await openRpc({ rpcUrl: async () => fallbackUrl }, check?.ofFallback())),
      )
    }
  }
}
