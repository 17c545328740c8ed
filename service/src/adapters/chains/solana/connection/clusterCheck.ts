import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit'
import { ServiceError } from '#base/errors.js'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'
import type { SolanaChainOptions } from '../solanaChainOptions.js'

const mainnet = 'mainnet-beta'

/** The public clusters by the hash of their first block. */
const clusters: Readonly<Record<string, string | undefined>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': mainnet,
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'testnet',
}

const nameCluster = (genesisHash: string): string =>
  clusters[genesisHash] ?? `a cluster with the genesis hash ${genesisHash}`

/** How long a node counts as one of the right cluster. A provider may switch it while the service runs. */
const checkEveryMs = 10_000

/** Checks that nodes are of the cluster of this deployment. */
export type ClusterCheck = {
  /** @throws {ServiceError} `chain-unavailable` if a genesis hash is that of another cluster. */
  assert(genesisHash: string): void
  /**
   * Asserts the cluster of a node, and returns a transport that sends a request only if the node was of it a moment ago.
   */
  guard(transport: RpcTransport): Promise<RpcTransport>
  /** Returns the check of the second node, which is never the one that others are compared with. */
  ofFallback(): ClusterCheck
}

/**
 * Creates the check of a chain's nodes. In production they are of the main network, where coins have value. Elsewhere they
 * are of any other cluster, and stay of the one that the service has seen first, until it is started again.
 *
 * @returns `undefined` for a local chain, whose node the service has started.
 */
export const createClusterCheck = ({
  chain,
  isLocal,
  isTestnet,
}: Pick<SolanaChainOptions, 'chain' | 'isLocal' | 'isTestnet'>): ClusterCheck | undefined => {
  if (isLocal) return undefined
  const suffix = chain.toUpperCase()
  let firstHash: string | undefined

  const create = (variable: string, isFirst: boolean): ClusterCheck => {
    const assert = (genesisHash: string): void => {
      const isMainnet = clusters[genesisHash] === mainnet
      const isSame = firstHash === undefined || firstHash === genesisHash
      if (isMainnet !== isTestnet && isSame) {
        if (isFirst) firstHash = genesisHash
        return
      }
      const wanted = isTestnet ? (firstHash ? nameCluster(firstHash) : 'a test network') : mainnet
      const message = `${variable}: the node is of ${nameCluster(genesisHash)}, and not of ${wanted}.`
      throw new ServiceError('chain-unavailable', message, { isOutage: true, retryAfterSeconds: 60 })
    }
    return {
      assert,
      guard: async (transport) => {
        const rpc = createSolanaRpcFromTransport(transport)
        const check = async () => assert(await rpc.getGenesisHash().send())
        const checkAtTimes = memoizeAsync(check, checkEveryMs, Date.now)
        await checkAtTimes()
        const send = async (request: Parameters<RpcTransport>[0]) => {
          await checkAtTimes()
          return transport(request)
        }
        return send as RpcTransport
      },
      ofFallback: () => create(`KASSA_RPC_FALLBACK_${suffix}`, false),
    }
  }
  return create(`KASSA_RPC_${suffix}`, true)
}
