import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestClient, createWalletClient, http, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestToken } from '#adapters/chains/evm/artifacts/TestToken.js'
import { findAnvil } from '#adapters/chains/evm/local/findAnvil.js'
import { findFreePort } from '#adapters/chains/evm/local/findFreePort.js'
import { createLocalNode } from '#adapters/chains/evm/local/localNode.js'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kassa-node-'))
})

afterEach(() => rm(dataDir, { recursive: true, force: true }))

const create = () => createLocalNode({ chain: 'base-sepolia', chainId: 84532, dataDir })
const connect = (url: string) =>
  createTestClient({ mode: 'anvil', chain: baseSepolia, transport: http(url) }).extend(publicActions)

/** Reads the process numbers of the guard and of the node. */
const readHolders = async (): Promise<(string | undefined)[]> =>
  (await readFile(join(dataDir, 'base-sepolia.pid'), 'utf8')).split('\n').map((name) => name.split(' ')[0])

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('createLocalNode', () => {
  test('default', async () => {
    const node = create()
    expect(node.isStarted).toBe(false)
    const [one, two] = await Promise.all([node.rpcUrl(), node.rpcUrl()])
    expect(one).toBe(two)
    expect(await connect(one).getChainId()).toBe(84532)
    await node.stop()
  })

  test('behavior: the chain outlives the process', async () => {
    const node = create()
    const client = connect(await node.rpcUrl())
    await client.mine({ blocks: 3 })
    const block = await client.getBlock({ blockNumber: 2n })
    await node.stop()
    const again = create()
    expect((await connect(await again.rpcUrl()).getBlock({ blockNumber: 2n })).hash).toBe(block.hash)
    await again.stop()
  })

  test('behavior: receipts and logs of old blocks outlive the process', async () => {
    const node = create()
    const client = connect(await node.rpcUrl())
    const account = privateKeyToAccount(generatePrivateKey())
    await client.setBalance({ address: account.address, value: 10n ** 18n })
    const wallet = createWalletClient({ account, chain: baseSepolia, transport: http(await node.rpcUrl()) })
    const deployed = await wallet.deployContract({ ...TestToken, args: ['Test', 'TEST'] })
    const { contractAddress } = await client.waitForTransactionReceipt({
      hash: deployed,
      pollingInterval: 20,
    })
    if (!contractAddress) throw new Error('nothing was deployed')
    const call = { address: contractAddress, ...TestToken, functionName: 'mint' } as const
    const hash = await wallet.writeContract({ ...call, args: [account.address, 5n] })
    const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
    await client.mine({ blocks: 20 })
    await node.stop()
    const again = create()
    const reader = connect(await again.rpcUrl())
    const logs = await reader.getLogs({ address: contractAddress, fromBlock: 0n })
    expect(logs.map(({ transactionHash, blockHash }) => [transactionHash, blockHash])).toEqual([
      [hash, receipt.blockHash],
    ])
    expect(await reader.getTransactionReceipt({ hash })).toEqual(receipt)
    await again.stop()
  })

  test('behavior: a state file torn by a crash loses what came after the last backup, not the chain', async () => {
    const node = create()
    const client = connect(await node.rpcUrl())
    await client.mine({ blocks: 3 })
    await node.stop()
    const second = create()
    await connect(await second.rpcUrl()).mine({ blocks: 1 })
    await second.stop()
    await truncate(join(dataDir, 'base-sepolia.json'), 1_000)
    const third = create()
    expect(await connect(await third.rpcUrl()).getBlockNumber()).toBe(3n)
    await third.stop()
  })

  test('behavior: a number in the pid file that now names another process delays no start', async () => {
    await writeFile(join(dataDir, 'base-sepolia.pid'), `${process.pid} 1\n${process.pid} 1\n`)
    const node = create()
    expect(await connect(await node.rpcUrl()).getChainId()).toBe(84532)
    await node.stop()
  })

  test('behavior: a node that died is started again on its next use, with its state', async () => {
    const node = create()
    await connect(await node.rpcUrl()).mine({ blocks: 4 })
    const [, pid] = await readHolders()
    process.kill(Number(pid), 'SIGTERM')
    while (node.isStarted) await sleep(20)
    expect(await connect(await node.rpcUrl()).getBlockNumber()).toBe(4n)
    await node.stop()
  })

  test('behavior: a node whose guard was killed gives way to the next', async () => {
    const node = create()
    const orphan = connect(await node.rpcUrl())
    await orphan.mine({ blocks: 4 })
    const [guard] = await readHolders()
    process.kill(Number(guard), 'SIGKILL')
    while (node.isStarted) await sleep(20)
    expect(await connect(await node.rpcUrl()).getBlockNumber()).toBe(4n)
    await expect(orphan.getChainId()).rejects.toThrow()
    await node.stop()
  })

  test('behavior: when its parent is killed, the node saves the chain and ends', async () => {
    const guard = new URL('../../../../src/adapters/chains/evm/local/guard.mjs', import.meta.url).pathname
    const state = join(dataDir, 'base-sepolia.json')
    const pidFile = join(dataDir, 'base-sepolia.pid')
    const port = await findFreePort()
    const args = [guard, pidFile, state, findAnvil(), '--port', `${port}`, '--chain-id', '84532', '--silent']
    // A parent that starts the guard and is then killed, as a service would be.
    const parent = spawn(process.execPath, [
      '-e',
      `require('node:child_process').spawn(process.execPath, ${JSON.stringify(args)}, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] }); setInterval(() => {}, 1000)`,
    ])
    const client = connect(`http://127.0.0.1:${port}`)
    while (!(await client.getChainId().catch(() => 0))) await sleep(50)
    await client.mine({ blocks: 5 })
    const [guardPid, nodePid] = await readHolders()
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    while (isAlive(Number(guardPid))) await sleep(20)
    expect(isAlive(Number(nodePid))).toBe(false)
    const node = create()
    expect(await connect(await node.rpcUrl()).getBlockNumber()).toBe(5n)
    await node.stop()
  })
})
