import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { type ClusterState, createCluster } from './cluster.js'
import { createFaucet } from './faucet.js'
import type { RpcWorld } from './method.js'
import { serveRpc } from './serveRpc.js'

/** How a local cluster runs. */
export type LocalSolanaOptions = {
  /** A port of this machine for HTTP; WebSocket is on the next one, where clients expect it. 0 takes two free ones. */
  port: number
  /** The length of a slot. @default 400 */
  slotMs?: number
  /** After how many slots a block is final. @default 32 */
  finalizedAfter?: number
  /** The file that keeps the cluster's state over a restart. Without it, the state is lost. */
  statePath?: string
}

const loadState = (path: string | undefined): { genesisHash: string; cluster: ClusterState } | undefined =>
  path !== undefined && existsSync(path) ? deserialize(readFileSync(path)) : undefined

/**
 * Starts a Solana cluster of this machine: a node's JSON-RPC interface over HTTP and WebSocket, in front of a
 * virtual machine in this process. Nothing of it is on a real network.
 */
export const startLocalSolana = async ({
  port,
  slotMs = 400,
  finalizedAfter = 32,
  statePath,
}: LocalSolanaOptions) => {
  const state = loadState(statePath)
  const cluster = createCluster({ now: Date.now, finalizedAfter }, state?.cluster)
  const genesisHash = state?.genesisHash ?? cluster.blockAt('processed').blockhash
  const world: RpcWorld = { cluster, genesisHash, ...(await createFaucet(cluster)) }

  const server = await serveRpc(world, port)
  const save = (): void => {
    if (statePath === undefined) return
    mkdirSync(dirname(statePath), { recursive: true })
    // A process that is killed while it writes leaves the earlier state.
    writeFileSync(`${statePath}.new`, serialize({ genesisHash, cluster: cluster.save() }))
    renameSync(`${statePath}.new`, statePath)
  }
  const tick = (): void => {
    const block = cluster.produceBlock()
    if (block.signatures.length) save()
    server.tellAll(block)
  }
  const ticking = setInterval(tick, slotMs)
  return {
    /** For tests, which skip slots, replace blocks and lose transactions. */
    cluster,
    /** Makes the next block now. */
    tick,
    rpcUrl: `http://127.0.0.1:${server.port}`,
    wsUrl: `ws://127.0.0.1:${server.port + 1}`,
    /** Makes a last block of the transactions that wait, stops, and keeps the state if there is a file for it. */
    close: async (): Promise<void> => {
      clearInterval(ticking)
      await server.close()
      cluster.produceBlock()
      save()
    },
  }
}
