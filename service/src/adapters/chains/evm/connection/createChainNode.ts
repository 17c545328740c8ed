import type { PublicClient } from 'viem'
import { ServiceError } from '#base/errors.js'
import type { Operator } from '../operator.js'
import { type AskFallback, createAskFallback } from './askFallback.js'
import { type Connection, connect, openClient } from './connect.js'
import { createHeads, type Heads } from './heads.js'
import { UnfundedError } from './inspectNode.js'
import { withNode } from './rpc.js'

/**
 * The ways to a chain's node. Each throws a {@link ServiceError} `chain-unavailable` while the node does not answer.
 */
export type ChainNode = {
  /** Runs work with a node that answers and has the service's contracts deployed. */
  use<Result>(work: (opened: Connection) => Promise<Result>): Promise<Result>
  /** Reads from the same node. */
  read<Result>(work: (client: PublicClient) => Promise<Result>): Promise<Result>
  /**
   * Reads what needs no contract, so that it is answered also while the operator cannot pay for any.
   *
   * @param by - Which client of the connection to read with.
   */
  readBare<Result>(
    work: (client: PublicClient) => Promise<Result>,
    by?: 'client' | 'batching',
  ): Promise<Result>
  /** Reads without the connection, which deploys missing contracts, so that nothing on the chain changes. */
  peek<Result>(work: (client: PublicClient) => Promise<Result>): Promise<Result>
  askFallback: AskFallback
  /** The new blocks that the node announces once it is connected. */
  heads: Heads
}

/** How long an empty account is not looked at again, because each look asks the node a dozen questions. */
const unfundedMs = 5_000

/** Creates the ways to a chain's node, which is connected on first use and again after an outage. */
export const createChainNode = (operator: Operator): ChainNode => {
  const { options } = operator
  const { chain } = options
  const heads = createHeads()
  let connection: Promise<Connection> | undefined
  let unfunded: { error: UnfundedError; untilMs: number } | undefined
  const connected = (): Promise<Connection> => {
    if (unfunded && Date.now() < unfunded.untilMs) return Promise.reject(unfunded.error)
    connection ??= connect(operator, heads).catch((error) => {
      connection = undefined
      if (error instanceof UnfundedError) unfunded = { error, untilMs: Date.now() + unfundedMs }
      throw error
    })
    return connection
  }

  const use: ChainNode['use'] = async (work) => {
    const current = connected()
    try {
      return await withNode(chain, async () => work(await current))
    } catch (error) {
      // A node that is back after an outage may have another URL or may have lost data, so the connection is
      // opened again. A node that reports that something is not yet so is reachable.
      const isAway = error instanceof ServiceError && error.isOutage
      if (isAway) options.onAway?.()
      if (isAway && connection === current) connection = undefined
      throw error
    }
  }
  const read: ChainNode['read'] = (work) => use(({ client }) => work(client))
  const peek: ChainNode['peek'] = (work) => withNode(chain, async () => work(await openClient(options)))
  const readBare: ChainNode['readBare'] = async (work, by = 'client') => {
    try {
      return await use((opened) => work(opened[by]))
    } catch (error) {
      if (!(error instanceof UnfundedError)) throw error
      return peek(work)
    }
  }
  return { use, read, readBare, peek, askFallback: createAskFallback(options), heads }
}
