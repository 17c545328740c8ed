import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestClient, http, publicActions } from 'viem'
import { baseSepolia } from 'viem/chains'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findAnvil } from '../../src/chains/local/findAnvil.js'
import { createLocalNode } from '../../src/chains/local/localNode.js'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kassa-node-'))
})

afterEach(() => rm(dataDir, { recursive: true, force: true }))

const create = () => createLocalNode({ chain: 'base-sepolia', chainId: 84532, dataDir })
const connect = (url: string) =>
  createTestClient({ mode: 'anvil', chain: baseSepolia, transport: http(url) }).extend(publicActions)

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

  test('behavior: when its parent is killed the node saves the chain and ends', async () => {
    const guard = new URL('../../src/chains/local/guard.mjs', import.meta.url).pathname
    const state = join(dataDir, 'base-sepolia.json')
    const pidFile = join(dataDir, 'base-sepolia.pid')
    const args = [
      guard,
      pidFile,
      findAnvil(),
      '--port',
      '20517',
      '--chain-id',
      '84532',
      '--silent',
      '--state',
      state,
    ]
    // A parent that starts the guard and is then killed, as a service would be.
    const parent = spawn(process.execPath, [
      '-e',
      `require('node:child_process').spawn(process.execPath, ${JSON.stringify(args)}, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] }); setInterval(() => {}, 1000)`,
    ])
    const client = connect('http://127.0.0.1:20517')
    while (!(await client.getChainId().catch(() => 0))) await sleep(50)
    await client.mine({ blocks: 5 })
    const guardPid = Number(await readFile(pidFile, 'utf8'))
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    while (isAlive(guardPid)) await sleep(20)
    const node = create()
    expect(await connect(await node.rpcUrl()).getBlockNumber()).toBe(5n)
    await node.stop()
  })
})
