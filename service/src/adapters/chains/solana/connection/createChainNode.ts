import type { Rpc, SolanaRpcApi } from '@solana/kit'
import { ServiceError } from '#base/errors.js'
import type { SolanaChainOptions } from '../solanaChainOptions.js'
import { type AskFallback, createAskFallback } from './askFallback.js'
import type { ClusterCheck } from './clusterCheck.js'
import { type Connection, connect, openRpc } from './connect.js'
import { withNode } from './withNode.js'

/**
 * The ways to a chain's node. Each throws a {@link ServiceError} `chain-unavailable` while the node does not answer.
 */
export type ChainNode = {
  /** Runs work with a node that answers, and with the operator's signer and outbox. */
  use<Result>(work: (opened: Connection) => Promise<Result>): Promise<Result>
  /** Reads from the same node. */
  read<Result>(work: (rpc: Rpc<SolanaRpcApi>) => Promise<Result>): Promise<Result>
  /** Reads without the connection, also while the database lacks writes of the operator. */
  peek<Result>(work: (rpc: Rpc<SolanaRpcApi>) => Promise<Result>): Promise<Result>
  askFallback: AskFallback
}

/** What is checked of a node before it is used. */
type Checks = {
  cluster: ClusterCheck | undefined
  /** Asserts that the database knows all that the operator's key has written. */
  assertKnown(rpc: Rpc<SolanaRpcApi>): Promise<void>
}

/** Creates the ways to a chain's node, which is connected on first use and again after an outage. */
export const createChainNode = (options: SolanaChainOptions, { cluster, assertKnown }: Checks): ChainNode => {
  const { chain } = options
  let connection: Promise<Connection> | undefined
  const use: ChainNode['use'] = async (work) => {
    connection ??= connect(options, cluster).then(async (opened) => {
      await withNode(chain, () => assertKnown(opened.rpc))
      return opened
    })
    const current = connection
    try {
      return await withNode(chain, async () => work(await current))
    } catch (error) {
      const isAway = error instanceof ServiceError && error.isOutage
      if (isAway) options.onAway?.()
      // A node that is back after an outage may have another URL.
      if (connection === current && (isAway || !(error instanceof ServiceError))) connection = undefined
      throw error
    }
  }
  return {
    use,
    read: (work) => use(({ rpc }) => work(rpc)),
    peek: (work) => withNode(chain, async () => work(await openRpc(options, cluster))),
    askFallback: createAskFallback(options, cluster),
  }
}
