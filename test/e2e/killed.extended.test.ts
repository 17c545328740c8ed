import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPublicClient, getAddress, http, parseAbi, parseAbiItem, zeroAddress } from 'viem'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { serviceProgram } from '../../scripts/lib/programs.mjs'
import { openSandbox } from '../../scripts/lib/sandbox.mjs'
import { type RunningService, startService } from '../../scripts/lib/stack.mjs'
import { root } from '../helpers/sources.js'
import { rpcUrlOf } from './helpers/chain.js'
import { freshDataDir } from './helpers/dataDir.js'
import { startReceiver } from './helpers/startReceiver.js'

const chain = 'base-sepolia'
const mints = 500
const kills = 8
const dataDir = freshDataDir('killed')
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const env = { KASSA_WRITES_PER_MINUTE: '1000000', KASSA_READS_PER_MINUTE: '1000000' }

const Minted = z.looseObject({ id: z.string(), actionId: z.string() })
const Token = z.looseObject({
  id: z.string(),
  onChain: z.looseObject({
    status: z.string(),
    contractAddress: z.string(),
    tokenId: z.optional(z.string()),
  }),
})

let stack: RunningService | undefined
let receiver: Awaited<ReturnType<typeof startReceiver>> | undefined
afterEach(async () => {
  await stack?.stop()
  await receiver?.stop()
})

/** Registers an endpoint as an operator does, while no other process uses the database. */
const register = (url: string): string => {
  const { env: settings } = serviceProgram(openSandbox(dataDir), dataDir, env)
  const args = ['webhooks', 'create', '--project', 'sandbox', '--url', url, '--types', 'all']
  const cli = join(root, 'service/dist/bin.js')
  const printed = execFileSync(process.execPath, [cli, ...args], { env: settings, encoding: 'utf8' })
  return /whsec_\S+/.exec(printed)?.[0] ?? ''
}

const start = async (isRestart: boolean): Promise<RunningService> => {
  stack = await startService({ dataDir, env, isRestart })
  return stack
}

/** Asks until it is answered: the service is away again and again. */
const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  for (;;) {
    try {
      const { serviceUrl, sandbox } = stack ?? { serviceUrl: '', sandbox: { serverKey: '' } }
      const response = await fetch(`${serviceUrl}/api/2022-06-09${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'x-api-key': sandbox.serverKey },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(20_000),
      })
      if (response.ok) return await response.json()
      if (response.status < 500) throw new RangeError(`${response.status}: ${await response.text()}`)
    } catch (error) {
      if (error instanceof RangeError) throw error
    }
    await sleep(100)
  }
}

test('behavior: killed again and again during 500 mints, it mints each once and tells of each', async () => {
  receiver = await startReceiver()
  await start(false)
  await stack?.stop()
  receiver.state.secret = register(receiver.url)
  await start(true)
  await ask('PUT', '/collections/killed', { chain, metadata: { name: 'Killed' } })

  const waiting = Array.from({ length: mints }, (_, index) => `token-${index}`)
  const actions = new Map<string, string>()
  const post = async () => {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const metadata = { name: id, image: 'ipfs://picture' }
      const asked = { recipient: `${chain}:${recipient}`, metadata, sendNotification: false }
      const minted = z.parse(Minted, await ask('PUT', `/collections/killed/nfts/${id}`, asked))
      actions.set(id, minted.actionId)
      await sleep(80)
    }
  }
  const posting = Promise.all(Array.from({ length: 4 }, post))
  const left: number[] = []
  for (let count = 0; count < kills; count++) {
    await sleep(200 + Math.random() * 2_000)
    left.push(waiting.length)
    stack?.service.signal('SIGKILL')
    await stack?.service.exited
    await stack?.stop()
    await start(true)
  }
  await posting
  // Otherwise it was never killed with something to do.
  expect(
    left.some((count) => count > 0 && count < mints),
    left.join(),
  ).toBe(true)

  const read = async () => {
    const pages = Array.from({ length: mints / 100 }, (_, page) => page + 1)
    const lists = await Promise.all(
      pages.map((page) => ask('GET', `/collections/killed/nfts?perPage=100&page=${page}`)),
    )
    return lists.flatMap((list) => z.parse(z.array(Token), list))
  }
  const isOver = async () => {
    const tokens = await read()
    return tokens.length === mints && tokens.every(({ onChain }) => onChain.status !== 'pending')
  }
  await expect.poll(isOver, { interval: 500 }).toBe(true)
  const tokens = await read()
  expect(tokens.filter(({ onChain }) => onChain.status !== 'success')).toEqual([])
  expect(new Set(tokens.map(({ onChain }) => onChain.tokenId)).size).toBe(mints)

  const running = stack
  if (!running) throw new Error('the service is away')
  const client = createPublicClient({ transport: http(rpcUrlOf(running, chain)) })
  const address = getAddress(tokens[0]?.onChain.contractAddress ?? '')
  const abi = parseAbi(['function totalSupply() view returns (uint256)'])
  expect(await client.readContract({ address, abi, functionName: 'totalSupply' })).toBe(BigInt(mints))
  const event = parseAbiItem(
    'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  )
  const args = { from: zeroAddress, to: getAddress(recipient) }
  const logs = await client.getLogs({ address, event, args, fromBlock: 0n, strict: true })
  expect(logs.map(({ args: { tokenId } }) => `${tokenId}`).sort()).toEqual(
    tokens.map(({ onChain }) => onChain.tokenId).sort(),
  )

  const untold = () =>
    [...actions.values()].filter((id) => !receiver?.told.has(`nfts.create.succeeded ${id}`))
  await expect.poll(untold, { interval: 500 }).toEqual([])
  const mintsTold = [...receiver.told].filter(([key]) => key.startsWith('nfts.create.'))
  expect(mintsTold).toHaveLength(mints)
  // However often it was sent, it is one event with one id.
  expect(mintsTold.filter(([, ids]) => ids.size !== 1)).toEqual([])
  expect(
    [...receiver.told.keys()].filter((key) => key.startsWith('collections.create.succeeded')),
  ).toHaveLength(1)
  expect(receiver.state.forged).toBe(0)
})
