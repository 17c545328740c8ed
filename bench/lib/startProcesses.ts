import { join } from 'node:path'
import { type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Child, startChild } from '../../scripts/lib/child.mjs'
import { findPort } from '../../scripts/lib/ports.mjs'
import { serviceProgram } from '../../scripts/lib/programs.mjs'
import { openSandbox } from '../../scripts/lib/sandbox.mjs'
import { waitFor } from '../../scripts/lib/waitFor.mjs'
import { createLocalNode } from '../../service/src/adapters/chains/evm/local/localNode.js'
import { chain, openNode } from './buyers.js'

/** Several processes of the service, on one database and one chain. */
export type Processes = {
  urls: string[]
  children: Child[]
  serverKey: string
  /** Where the chain's node is reached. */
  nodeUrl: string
  stop(): Promise<void>
}

/**
 * Starts the chain's node, and then the processes one after the other: the first prepares the database.
 *
 * @param env - Settings of the processes, which may depend on where the node is reached.
 */
export const startProcesses = async (
  dataDir: string,
  count: number,
  env: Record<string, string> | ((nodeUrl: string) => Promise<Record<string, string>>),
): Promise<Processes> => {
  const sandbox = openSandbox(dataDir)
  const node = createLocalNode({ chain, chainId: 84_532, dataDir: join(dataDir, 'chain') })
  const children: Child[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(children.map((child) => child.stop()))
    await node.stop()
  }
  try {
    const nodeUrl = await node.rpcUrl()
    const operator = privateKeyToAccount(sandbox.operatorKey as Hex).address
    await openNode(nodeUrl).setBalance({ address: operator, value: parseEther('1000') })
    const own = typeof env === 'function' ? await env(nodeUrl) : env
    const urls: string[] = []
    let port = 4_700
    for (let index = 0; index < count; index++) {
      port = await findPort(port + 1)
      const at = { ...sandbox, ports: { ...sandbox.ports, service: port } }
      const child = startChild(
        serviceProgram(at, join(dataDir, `process-${index}`), {
          KASSA_CHAINS: chain,
          KASSA_RPC_BASE_SEPOLIA: nodeUrl,
          KASSA_WS_BASE_SEPOLIA: nodeUrl.replace(/^http/, 'ws'),
          KASSA_CONFIRMATIONS_BASE_SEPOLIA: '1',
          KASSA_WRITES_PER_MINUTE: '1000000000',
          KASSA_READS_PER_MINUTE: '1000000000',
          ...own,
        }),
      )
      children.push(child)
      urls.push(`http://127.0.0.1:${port}`)
      await waitFor(`http://127.0.0.1:${port}/health`, child, {
        isFromChild: () => /"msg":"ready"/.test(child.output()),
      })
    }
    return { urls, children, serverKey: sandbox.serverKey, nodeUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
