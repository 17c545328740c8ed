import { eq } from 'drizzle-orm'
import { type Hex, parseTransaction } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import { attemptKey } from '#base/ports/write.js'
import { createMint } from '../../../helpers/createMint.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { startRelay } from '../../../helpers/startRelay.js'

const usualLimit = 30_000_000n

let world: Awaited<ReturnType<typeof createTestChain>>
beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

const setLimit = async (gasLimit: bigint) => {
  await world.client.setBlockGasLimit({ gasLimit })
  await world.client.mine({ blocks: 1 })
}
beforeEach(() => setLimit(usualLimit))

const readRow = async (key: string) => {
  const ofKey = eq(chainTransactions.key, `base-sepolia:${key}`)
  const [row] = await world.db.select().from(chainTransactions).where(ofKey)
  return row
}
const gasOf = async (key: string): Promise<bigint> => {
  const row = await readRow(key)
  if (!row) throw new Error(`no transaction ${key}`)
  return parseTransaction(row.signedTransaction as Hex).gas ?? 0n
}

/** Prepares a mint into a new collection. Mints of the same count need the same gas. */
const prepareMint = async (count: number) => {
  const { collection, contractAddress } = await world.createCollection()
  const tokens = Array.from({ length: count }, (_, at) => createMint({ tokenId: BigInt(at + 1) }))
  return { key: `mint:${contractAddress}`, contractAddress, input: { collection, tokens } }
}

/** Measures how much gas a mint of so many tokens is given if blocks have enough. */
const measure = async (count: number): Promise<bigint> => {
  const { key, input } = await prepareMint(count)
  expect((await world.chain.mint(key, input)).status).toBe('succeeded')
  return gasOf(key)
}

/** Opens a process whose node refuses everything until it is allowed. */
const openRefused = async () => {
  let isRefusing = true
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) =>
      isRefusing && body.includes('eth_sendRawTransaction')
        ? { code: -32000, message: 'exceeds block gas limit' }
        : undefined,
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  await chain.ready()
  return {
    chain,
    allow: () => {
      isRefusing = false
    },
    close: relay.close,
  }
}

test('default: a call is given no more gas than a block has', async () => {
  const limit = ((await measure(5)) * 9n) / 10n
  const { key, input } = await prepareMint(5)
  await setLimit(limit)
  expect((await world.chain.mint(key, input)).status).toBe('succeeded')
  expect(await gasOf(key)).toBe(limit)
})

test('error: a call that fits into no block is refused and blocks no other', async () => {
  const limit = (await measure(5)) / 2n
  const [large, small] = [await prepareMint(5), await prepareMint(1)]
  await setLimit(limit)
  expect((await world.chain.mint(large.key, large.input)).status).toBe('failed')
  expect(await readRow(large.key)).toBeUndefined()
  expect((await world.chain.mint(small.key, small.input)).status).toBe('succeeded')
})

test('behavior: a call that waits while blocks become smaller is signed again with less gas', async () => {
  const { key, input } = await prepareMint(5)
  const process = await openRefused()
  const minted = process.chain.mint(key, input)
  await expect.poll(() => readRow(key)).toBeDefined()
  const first = await readRow(key)
  const limit = ((await gasOf(key)) * 9n) / 10n
  await setLimit(limit)
  process.allow()
  expect((await minted).status).toBe('succeeded')
  expect(await gasOf(key)).toBe(limit)
  expect(await readRow(key)).toMatchObject({ nonce: first?.nonce, otherTxIds: [first?.txId] })
  await process.close()
})

test('error: a call that no longer fits into a block gives up its nonce, and those behind it follow', async () => {
  const [large, small] = [await prepareMint(5), await prepareMint(1)]
  const process = await openRefused()
  const stuck = process.chain.mint(large.key, large.input)
  await expect.poll(() => readRow(large.key)).toBeDefined()
  const first = await readRow(large.key)
  const behind = process.chain.mint(small.key, small.input)
  await expect.poll(() => readRow(small.key)).toBeDefined()
  await setLimit((await gasOf(large.key)) / 2n)
  process.allow()
  const result = await stuck
  expect(result).toMatchObject({ status: 'failed', txId: expect.stringMatching(/^0x/) })
  expect((await behind).status).toBe('succeeded')
  expect(await readRow(large.key)).toMatchObject({ nonce: first?.nonce, status: 'reverted' })
  expect(await world.chain.ownerOf({ ...large, tokenId: 1n })).toBeUndefined()
  expect(await world.chain.mint(large.key, large.input)).toEqual(result)
  await setLimit(usualLimit)
  expect((await world.chain.mint(attemptKey(large.key, 2), large.input)).status).toBe('succeeded')
  await process.close()
})

test('behavior: a write waits while the chain asks for more than the ceiling', async () => {
  const { key, input } = await prepareMint(1)
  const poor = world.open({ maxFeePerGas: 1n })
  await expect(poor.mint(key, input)).rejects.toMatchObject({
    code: 'chain-unavailable',
    message: expect.stringContaining('more than the allowed 1'),
  })
  expect(await readRow(key)).toBeUndefined()
  expect((await world.chain.mint(key, input)).status).toBe('succeeded')
})

test('behavior: a chain without EIP-1559 is offered a gas price', async () => {
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    () => undefined,
    (body, answer) =>
      body.includes('eth_getBlockByNumber') ? answer.replace(/"baseFeePerGas":"0x[0-9a-f]*",?/, '') : answer,
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  const { key, input } = await prepareMint(1)
  expect((await chain.mint(key, input)).status).toBe('succeeded')
  const row = await readRow(key)
  expect(parseTransaction(row?.signedTransaction as Hex)).toMatchObject({ type: 'legacy', chainId: 84532 })
  await relay.close()
})
