import { createCluster } from './cluster.js'
import { createFaucet } from './faucet.js'
import type { RpcWorld } from './method.js'
import { serveRpc } from './serveRpc.js'
import { createStateFile, loadState } from './stateFile.js'

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
  const saved = loadState(statePath)
  const cluster = createCluster({ now: Date.now, finalizedAfter }, saved?.state, saved?.changes)
  const genesisHash = saved?.genesisHash ?? cluster.blockAt('processed').blockhash
  const world: RpcWorld = { cluster, genesisHash, ...(await createFaucet(cluster)) }

  const server = await serveRpc(world, port)
  const file = statePath === undefined ? undefined : createStateFile(statePath, { genesisHash, cluster })
  const tick = (): void => {
    const block = cluster.produceBlock()
    if (block.signatures.length) file?.saveChange()
    server.tellAll(block)
  }
  const ticking = setInterval(tick, slotMs)
  return {
    /** For tests, which skip slots, replace blocks, lose transactions and clean up the history. */
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
      file?.saveAll()
    },
  }
}
