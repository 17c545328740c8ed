import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Address,
  createPublicClient,
  getAddress,
  type Hex,
  http,
  parseAbi,
  parseAbiItem,
  zeroAddress,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
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
const many = 200
const kills = 10
/** How many requests may be unanswered: the rest is sent once the service is back, however long it needs. */
const maxOpen = 10
const dataDir = freshDataDir('killed-transactions')
const env = { KASSA_WRITES_PER_MINUTE: '1000000', KASSA_READS_PER_MINUTE: '1000000' }
const abi = parseAbi(['function mint(address to, uint256 amount)'])
const entryPoint = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108'
const ended = parseAbiItem(
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
)
const minted = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

const Created = z.looseObject({
  id: z.string(),
  status: z.string(),
  onChain: z.looseObject({ userOperationHash: z.optional(z.string()), txId: z.optional(z.string()) }),
  approvals: z.looseObject({ pending: z.array(z.looseObject({ message: z.string() })) }),
})
const Page = z.looseObject({ transactions: z.array(Created) })
const Contracts = z.looseObject({
  tokens: z.record(z.string(), z.record(z.string(), z.looseObject({ address: z.string() }))),
})
const Wallet = z.looseObject({ address: z.string() })

let stack: RunningService | undefined
let receiver: Awaited<ReturnType<typeof startReceiver>> | undefined
afterEach(async () => {
  await stack?.stop()
  await receiver?.stop()
})

/** Runs a command as an operator does, while no other process uses the database. */
const runCommand = (...args: string[]): string => {
  const { env: settings } = serviceProgram(openSandbox(dataDir), dataDir, env)
  const cli = join(root, 'service/dist/bin.js')
  return execFileSync(process.execPath, [cli, ...args], { env: settings, encoding: 'utf8' })
}

const start = async (isRestart: boolean): Promise<void> => {
  stack = await startService({ dataDir, env, isRestart })
}

/** Asks until it is answered: the service is away again and again. What was taken already is fine, too. */
const ask = async (method: string, path: string, body?: unknown, taken = 200): Promise<unknown> => {
  const key = randomUUID()
  for (;;) {
    try {
      const { serviceUrl, sandbox } = stack ?? { serviceUrl: '', sandbox: { serverKey: '' } }
      const response = await fetch(`${serviceUrl}/api/2022-06-09${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          'x-api-key': sandbox.serverKey,
          ...(method === 'POST' && { 'x-idempotency-key': key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(45_000),
      })
      if (response.ok || response.status === taken) return await response.json()
      if (response.status < 500) throw new RangeError(`${response.status}: ${await response.text()}`)
    } catch (error) {
      if (error instanceof RangeError) throw error
    }
    await sleep(100)
  }
}

type Sender = { path: string; address: Address; create(usdc: Address, recipient: Address): Promise<string> }

/** Creates a wallet of a kind. Each of its transactions mints one unit to an unused address. */
const createSender = async (kind: 'custodial' | 'owned' | 'account'): Promise<Sender> => {
  const owner = privateKeyToAccount(generatePrivateKey())
  const adminSigner = { type: 'evm-keypair', address: owner.address }
  const { address } = z.parse(
    Wallet,
    await ask('POST', '/wallets', {
      type: kind === 'account' ? 'evm-mpc-wallet' : 'evm-smart-wallet',
      ...(kind === 'owned' && { config: { adminSigner } }),
    }),
  )
  const path = `/wallets/${address}/transactions`
  return {
    path,
    address: getAddress(address),
    create: async (usdc, recipient) => {
      const call = { address: usdc, functionName: 'mint', abi, args: [recipient, '1'] }
      const params = { ...(kind === 'account' ? { call } : { calls: [call] }), chain }
      const created = z.parse(Created, await ask('POST', path, { params }))
      const [pending] = created.approvals.pending
      if (!pending) return created.id
      const signature = await owner.signMessage({ message: { raw: pending.message as Hex } })
      const approvals = [{ signer: owner.address, signature }]
      // Its approval may have been taken by a service that was killed before it could say so.
      await ask('POST', `${path}/${created.id}/approvals`, { approvals }, 409)
      return created.id
    },
  }
}

test('behavior: killed again and again during 200 transactions, each has one true end and happened once', async () => {
  receiver = await startReceiver()
  await start(false)
  await stack?.stop()
  receiver.state.secret =
    /whsec_\S+/.exec(
      runCommand('webhooks', 'create', '--project', 'sandbox', '--url', receiver.url, '--types', 'all'),
    )?.[0] ?? ''
  const { tokens } = z.parse(Contracts, JSON.parse(runCommand('contracts')))
  const usdc = getAddress(tokens[chain]?.usdc?.address ?? '')
  await start(true)

  const senders = [
    await createSender('custodial'),
    await createSender('custodial'),
    await createSender('owned'),
    await createSender('account'),
    await createSender('account'),
  ]
  const made: { sender: Sender; recipient: Address; id: string }[] = []
  let left = many
  const posting = (async () => {
    const asked: Promise<void>[] = []
    for (; left > 0; left--) {
      while (asked.length - made.length >= maxOpen) await sleep(50)
      const sender = senders[left % senders.length]
      if (!sender) throw new Error('there is no sender')
      const recipient = privateKeyToAccount(generatePrivateKey()).address
      asked.push(
        sender.create(usdc, recipient).then((id) => {
          made.push({ sender, recipient, id })
        }),
      )
      await sleep(150 + Math.random() * 150)
    }
    await Promise.all(asked)
  })()
  const leftAtKill: number[] = []
  for (let count = 0; count < kills; count++) {
    await sleep(200 + Math.random() * 3_000)
    leftAtKill.push(left)
    stack?.service.signal('SIGKILL')
    await stack?.service.exited
    await stack?.stop()
    await start(true)
  }
  await posting
  // Otherwise it was never killed with something to do.
  expect(leftAtKill.filter((count) => count > 0 && count < many).length, leftAtKill.join()).toBeGreaterThan(3)
  expect(new Set(made.map(({ id }) => id)).size).toBe(many)

  // One request reads all of a sender: asking for each would take the service's time from its work.
  const read = async () => {
    const pages = await Promise.all(senders.map(({ path }) => ask('GET', `${path}?perPage=100`)))
    const listed = pages.flatMap((page) => z.parse(Page, page).transactions)
    const byId = new Map(listed.map((one) => [one.id, one]))
    return made.flatMap((one) => {
      const seen = byId.get(one.id)
      return seen ? [{ ...one, seen }] : []
    })
  }
  const unsettled = async () =>
    (await read()).filter(({ seen }) => !['success', 'failed'].includes(seen.status)).map(({ id }) => id)
  await expect.poll(unsettled, { interval: 1_000 }).toEqual([])
  const all = await read()
  expect(all).toHaveLength(many)

  const running = stack
  if (!running) throw new Error('the service is away')
  const client = createPublicClient({ transport: http(rpcUrlOf(running, chain)) })
  const logs = await client.getLogs({
    address: usdc,
    event: minted,
    args: { from: zeroAddress },
    fromBlock: 0n,
    strict: true,
  })
  const mintsTo = (recipient: Address) => logs.filter(({ args }) => args.to === recipient)
  for (const { recipient, seen } of all) {
    // What it says of itself is what the chain says.
    const mints = mintsTo(recipient)
    expect(mints.map(({ transactionHash, args }) => [transactionHash, args.value])).toEqual(
      seen.status === 'success' ? [[seen.onChain.txId, 1n]] : [],
    )
  }
  // Nothing but a kill was in their way.
  expect(all.filter(({ seen }) => seen.status !== 'success')).toEqual([])

  const operations = await client.getLogs({
    address: entryPoint,
    event: ended,
    fromBlock: 0n,
    strict: true,
  })
  const hashes = operations.map(({ args }) => args.userOpHash)
  expect(hashes.toSorted()).toEqual(
    all.flatMap(({ seen }) => seen.onChain.userOperationHash ?? []).toSorted(),
  )
  for (const sender of senders) {
    const own = all.filter((one) => one.sender === sender)
    const isAccount = own.every(({ seen }) => seen.onChain.userOperationHash === undefined)
    if (isAccount) expect(await client.getTransactionCount({ address: sender.address })).toBe(own.length)
  }

  const untold = () =>
    all.map(({ id }) => id).filter((id) => !receiver?.told.has(`wallets.transaction.succeeded ${id}`))
  await expect.poll(untold, { interval: 500 }).toEqual([])
  const tellings = [...receiver.told].filter(([key]) => key.startsWith('wallets.transaction.'))
  expect(tellings).toHaveLength(many)
  // However often it was sent, it is one event with one id.
  expect(tellings.filter(([, ids]) => ids.size !== 1)).toEqual([])
  expect(receiver.state.forged).toBe(0)
})
