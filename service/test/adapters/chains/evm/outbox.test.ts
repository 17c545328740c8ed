import { eq } from 'drizzle-orm'
import { encodeErrorResult, type Hex, parseTransaction, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Collection721 } from '#adapters/chains/evm/artifacts/Collection721.js'
import { create2Deployer, getDeployments } from '#adapters/chains/evm/connection/addresses.js'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import { attemptKey } from '#base/ports/write.js'
import { createMint } from '../../../helpers/createMint.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { startRelay } from '../../../helpers/startRelay.js'

let world: Awaited<ReturnType<typeof createTestChain>>

beforeAll(async () => {
  world = await createTestChain()
})

afterAll(() => world.close())

/** Runs `between` once, at the first gas estimate of another adapter on the same database. */
const openInterrupted = async (between: () => Promise<unknown>) => {
  const relay = await startRelay(await world.node.rpcUrl(), async (body) => {
    if (body.includes('eth_estimateGas')) await between()
  })
  const chain = world.open({ rpcUrl: async () => relay.url })
  await chain.ready()
  return { chain, close: relay.close }
}

test('behavior: a second caller finds the transaction that overtook its estimate', async () => {
  const { collection, contractAddress } = await world.createCollection()
  const tokens = [createMint()]
  const key = `overtaken:${contractAddress}`
  let first: unknown
  const second = await openInterrupted(async () => {
    first ??= await world.chain.mint(key, { collection, tokens })
  })
  const result = await second.chain.mint(key, { collection, tokens })
  expect(first).toMatchObject({ status: 'succeeded' })
  expect(result).toEqual(first)
  await second.close()
})

test('behavior: a mint is told of in its first block, and ends once the block is final', async () => {
  const { collection, contractAddress } = await world.createCollection()
  const token = createMint()
  const landed = new Set<string>()
  let isOver = false
  const chain = world.open({ confirmations: 3 })
  const minting = chain
    .mint(
      `landed:${contractAddress}`,
      { collection, tokens: [token] },
      { onLanded: (txId) => landed.add(txId) },
    )
    .finally(() => {
      isOver = true
    })
  await vi.waitFor(() => expect(landed.size).toBe(1), { timeout: 20_000 })
  expect(isOver).toBe(false)
  expect(await world.chain.ownerOf({ contractAddress, tokenId: 1n })).toBe(token.recipient)
  await world.client.mine({ blocks: 2 })
  const result = await minting
  expect(result).toEqual({ status: 'succeeded', txId: [...landed][0] })
})

test('behavior: a mint that reverts in its block is not told of', async () => {
  const { collection, contractAddress } = await world.createCollection()
  const tokens = [createMint()]
  const landed: string[] = []
  const mint = (chain: Pick<typeof world.chain, 'mint'>, name: string) =>
    chain.mint(`${name}:${contractAddress}`, { collection, tokens }, { onLanded: () => landed.push(name) })
  const countSigned = async () =>
    (await world.db.select().from(chainTransactions)).filter(({ key }) => key.endsWith(contractAddress))
      .length
  let late: Promise<unknown> | undefined
  const relay = await startRelay(await world.node.rpcUrl(), async (body) => {
    if (late || !body.includes('eth_sendRawTransaction')) return
    // Signed while the first one was on its way to the node, so it gets the next nonce and reverts.
    late = mint(world.chain, 'late')
    await vi.waitFor(async () => expect(await countSigned()).toBe(2), { timeout: 20_000 })
  })
  const first = await mint(world.open({ rpcUrl: async () => relay.url }), 'first')
  expect(first.status).toBe('succeeded')
  // The chain shows that what it was to do is done.
  expect(await late).toEqual(first)
  expect(landed).toEqual(['first'])
  await relay.close()
})

test('error: nothing is minted while the contract is missing', async () => {
  const collection = { key: crypto.randomUUID(), standard: 'erc-721' as const }
  await expect(
    world.chain.mint(`early:${collection.key}`, { collection, tokens: [createMint()] }),
  ).rejects.toMatchObject({ code: 'chain-unavailable' })
})

test('behavior: a nonce used by another transaction is replaced with a new one', async () => {
  const { collection, contractAddress } = await world.createCollection()
  const token = createMint()
  let isTaken = false
  const relay = await startRelay(await world.node.rpcUrl(), async (body) => {
    if (isTaken || !body.includes('eth_sendRawTransaction')) return
    isTaken = true
    const hash = await world.operatorWallet.sendTransaction({ to: world.operator, value: 1n })
    await world.client.waitForTransactionReceipt({ hash })
  })
  const chain = world.open({ rpcUrl: async () => relay.url })
  const result = await chain.mint(`taken:${contractAddress}`, { collection, tokens: [token] })
  expect(result.status).toBe('succeeded')
  expect(await world.chain.ownerOf({ contractAddress, tokenId: 1n })).toBe(token.recipient)
  await relay.close()
})

test('error: a chain without the deployer is not opened, because its router would be missing', async () => {
  const bytecode = await world.client.getCode({ address: create2Deployer })
  await world.client.setCode({ address: create2Deployer, bytecode: '0x' })
  const chain = world.open({ operatorKey: generatePrivateKey() })
  await expect(chain.ready()).rejects.toMatchObject({
    code: 'chain-unavailable',
    message: expect.stringContaining(create2Deployer),
    retryAfterSeconds: 600,
  })
  await world.client.setCode({ address: create2Deployer, bytecode: bytecode ?? '0x' })
})

test('behavior: a deployment that the chain reverted is sent again after a while', async () => {
  const operatorKey = generatePrivateKey()
  const { router } = getDeployments(privateKeyToAccount(operatorKey).address, true)
  const key = `base-sepolia:deploy:${router.address}`
  const [any] = await world.db.select().from(chainTransactions).limit(1)
  if (!any) throw new Error('nothing was sent')
  await world.db
    .insert(chainTransactions)
    .values({ ...any, key, sender: zeroAddress, status: 'reverted', createdAt: new Date() })
  const chain = world.open({ operatorKey })
  await expect(chain.ready()).rejects.toMatchObject({ code: 'chain-unavailable', retryAfterSeconds: 600 })
  await world.db
    .update(chainTransactions)
    .set({ createdAt: new Date(Date.now() - 11 * 60_000) })
    .where(eq(chainTransactions.key, key))
  await chain.ready()
  expect(await world.client.getCode({ address: router.address })).toBeDefined()
})

const refusal = {
  code: 3,
  message: 'execution reverted',
  data: encodeErrorResult({ ...Collection721, errorName: 'SupplyLimitReached', args: [7n] }),
}

/** Opens a process whose node refuses every call. */
const openRefusing = async () => {
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) => (body.includes('eth_estimateGas') ? refusal : undefined),
  )
  return { chain: world.open({ rpcUrl: async () => relay.url }), close: relay.close }
}

test('behavior: a refusal counts for every caller until the next attempt', async () => {
  const { collection, contractAddress } = await world.createCollection()
  const input = { collection, tokens: [createMint()] }
  const refusing = await openRefusing()
  const first = await refusing.chain.mint(`refused:${collection.key}`, input)
  expect(first).toMatchObject({
    status: 'failed',
    reason: 'SupplyLimitReached(7)',
    call: { functionName: 'mint' },
  })
  expect(await world.chain.mint(`refused:${collection.key}`, input)).toEqual(first)
  expect(await world.chain.ownerOf({ contractAddress, tokenId: 1n })).toBeUndefined()
  const next = await world.chain.mint(attemptKey(`refused:${collection.key}`, 2), input)
  expect(next.status).toBe('succeeded')
  await refusing.close()
})

test('behavior: of two concurrent callers, one refused and one about to sign, both are refused', async () => {
  const { collection, contractAddress } = await world.createCollection()
  const input = { collection, tokens: [createMint()] }
  const key = `torn:${collection.key}`
  const refusing = await openRefusing()
  let first: unknown
  const second = await openInterrupted(async () => {
    first ??= await refusing.chain.mint(key, input)
  })
  expect(await second.chain.mint(key, input)).toEqual(first)
  expect(first).toMatchObject({ status: 'failed' })
  expect(await world.chain.ownerOf({ contractAddress, tokenId: 1n })).toBeUndefined()
  await Promise.all([refusing.close(), second.close()])
})

test('behavior: a collection that exists already is found under any key', async () => {
  const collection = { key: crypto.randomUUID(), standard: 'erc-721' as const }
  const terms = { name: 'Dunes', symbol: 'DUN', uri: '', supplyLimit: 0n, transferable: true }
  const input = { collection, terms }
  const first = await world.chain.createCollection(`one:${collection.key}`, input)
  expect(first.status).toBe('succeeded')
  expect(await world.chain.createCollection(`two:${collection.key}`, input)).toEqual(first)
  expect(await world.chain.createCollection(attemptKey(collection.key, 2), input)).toEqual(first)
})

test('error: a currency this chain does not have never becomes a payment in another', async () => {
  const payer = await world.createPayer()
  const orderId = crypto.randomUUID()
  const input = {
    orderId,
    payer: payer.address,
    currency: 'doge',
    units: 5n,
    deadlineMs: Date.now() + 600_000,
  }
  await expect(world.chain.preparePayment(input)).rejects.toThrow('doge')
  expect(() => world.chain.paymentTarget({ orderId, currency: 'doge' })).toThrow('doge')
})

test('behavior: a payer who is ready can cover the fee caps of the prepared transaction', async () => {
  const payer = await world.createPayer()
  const input = {
    orderId: crypto.randomUUID(),
    payer: payer.address,
    currency: 'eth',
    units: 1_000n,
    deadlineMs: Date.now() + 600_000,
  }
  const prepared = await world.chain.preparePayment(input)
  if (prepared.status !== 'ready') throw new Error(prepared.status)
  const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(prepared.serializedTransaction as `0x02${string}`)
  const cost = input.units + gas * maxFeePerGas
  await world.client.setBalance({ address: payer.address, value: (cost * 3n) / 4n })
  expect(await world.chain.preparePayment(input)).toEqual({ status: 'insufficient-funds-for-gas' })
})

test.each([
  ['a contract', '0x5f5f5ff3', 'ready'],
  ['an account with borrowed code', `0xef0100${'ab'.repeat(20)}`, 'insufficient-funds-for-gas'],
] as const)('behavior: %s without gas money', async (_, bytecode, status) => {
  const payer = await world.createPayer()
  await payer.mintTokens('usdc', 5n)
  await world.client.setCode({ address: payer.address, bytecode })
  await world.client.setBalance({ address: payer.address, value: 0n })
  const input = {
    orderId: crypto.randomUUID(),
    payer: payer.address,
    currency: 'usdc',
    units: 5n,
    deadlineMs: Date.now() + 600_000,
  }
  const prepared = await world.chain.preparePayment(input)
  expect(prepared.status).toBe(status)
  expect(await world.chain.preparePayment({ ...input, units: 6n })).toEqual({ status: 'insufficient-funds' })
  // For a payment in coins it must still hold the price, and nothing more.
  const inCoins = { ...input, currency: 'eth' }
  expect(await world.chain.preparePayment(inCoins)).toEqual({ status: 'insufficient-funds' })
  await world.client.setBalance({ address: payer.address, value: 5n })
  expect((await world.chain.preparePayment(inCoins)).status).toBe(status)
})

test('behavior: a node that refuses to search every token at once is asked about the known ones alone', async () => {
  const asked: boolean[] = []
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) => {
      if (!body.includes('eth_getLogs')) return undefined
      asked.push(body.includes('"address"'))
      return asked.at(-1) ? undefined : { code: -32005, message: 'query returned more than 10000 results' }
    },
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  const payer = await world.createPayer()
  const orderId = crypto.randomUUID()
  const target = chain.paymentTarget({ orderId, currency: 'usdc' })
  await payer.mintTokens('usdc', 5n, target as Hex)
  const range = { fromBlock: 0n, toBlock: (await chain.getHead()).number, targets: [target] }
  for (let look = 0; look < 3; look++) {
    expect(await chain.findPayments(range)).toMatchObject([{ currency: 'usdc', units: 5n }])
  }
  expect(asked.filter((hasAddress) => hasAddress)).toHaveLength(3)
  const refusals = asked.length - 3
  expect(refusals).toBeGreaterThan(0)
  for (let look = 0; look < 100; look++) await chain.findPayments(range)
  expect(asked.filter((hasAddress) => !hasAddress)).toHaveLength(2 * refusals)
  await relay.close()
})

test('behavior: a node that comes back at another URL is found automatically', async () => {
  const chain = world.open()
  await chain.ready()
  await world.node.stop()
  await expect(chain.getHead()).rejects.toMatchObject({ code: 'chain-unavailable', retryAfterSeconds: 5 })
  expect((await chain.getHead()).number).toBeGreaterThan(0n)
})

test('behavior: a result that is not there yet leaves the connection open and counts as no outage', async () => {
  let openCount = 0
  let awayCount = 0
  const rpcUrl = () => {
    openCount++
    return world.node.rpcUrl()
  }
  const chain = world.open({ rpcUrl, onAway: () => awayCount++ })
  await chain.ready()
  const collection = { key: crypto.randomUUID(), standard: 'erc-721' as const }
  const early = chain.mint(`soon:${collection.key}`, { collection, tokens: [createMint()] })
  await expect(early).rejects.toMatchObject({ code: 'chain-unavailable', isOutage: false })
  await chain.getHead()
  expect([openCount, awayCount]).toEqual([1, 0])
  await world.node.stop()
  await expect(chain.getHead()).rejects.toMatchObject({ code: 'chain-unavailable', isOutage: true })
  expect((await chain.getHead()).number).toBeGreaterThan(0n)
  expect([openCount, awayCount]).toEqual([2, 1])
})

const beyondHead = { code: -32602, message: 'block range extends beyond current head block' }

test.each([503, 429, beyondHead])('error: chain-unavailable when the node answers %j', async (refusal) => {
  let isRefusing = false
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    () => (isRefusing ? refusal : undefined),
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  await chain.ready()
  isRefusing = true
  await expect(chain.getHead()).rejects.toMatchObject({ code: 'chain-unavailable' })
  isRefusing = false
  expect((await chain.getHead()).number).toBeGreaterThan(0n)
  await relay.close()
})
