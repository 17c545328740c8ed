import { eq } from 'drizzle-orm'
import { type Hex, parseTransaction } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import { createMint } from '../../../helpers/createMint.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { startRelay } from '../../../helpers/startRelay.js'

let world: Awaited<ReturnType<typeof createTestChain>>

beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

const prepareMint = async () => {
  const { collection, contractAddress } = await world.createCollection()
  return { contractAddress, collection, tokens: [createMint()] }
}

const rowOf = (key: string) => eq(chainTransactions.key, `base-sepolia:${key}`)

const readRow = async (key: string) => {
  const [row] = await world.db.select().from(chainTransactions).where(rowOf(key))
  if (!row) throw new Error(`no transaction ${key}`)
  return row
}

const feesOf = (signedTransaction: string) => {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(signedTransaction as Hex)
  return { maxFeePerGas, maxPriorityFeePerGas }
}

/** Opens a process whose node refuses everything; `wait` ends after the first refusal. */
const openRefused = async () => {
  let isRefusing = true
  const refused: string[] = []
  let onRefused = () => {}
  const isRefused = new Promise<void>((resolve) => {
    onRefused = resolve
  })
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) => {
      if (!isRefusing || !body.includes('eth_sendRawTransaction')) return undefined
      refused.push(body)
      onRefused()
      return { code: -32000, message: 'txpool is full' }
    },
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  await chain.ready()
  return {
    chain,
    isRefused,
    allow: () => {
      isRefusing = false
    },
    close: relay.close,
  }
}

const makeOld = (key: string, minutes: number) =>
  world.db
    .update(chainTransactions)
    .set({ createdAt: new Date(Date.now() - minutes * 60_000) })
    .where(rowOf(key))

const raiseBaseFee = async (baseFeePerGas: bigint) => {
  await world.client.setNextBlockBaseFeePerGas({ baseFeePerGas })
  await world.client.mine({ blocks: 1 })
}

test('behavior: at fees that the chain has always accepted, it is sent again unchanged', async () => {
  const input = await prepareMint()
  const process = await openRefused()
  const minted = process.chain.mint('cheap', input)
  await process.isRefused
  const { txId } = await readRow('cheap')
  await makeOld('cheap', 600)
  process.allow()
  expect(await minted).toEqual({ status: 'succeeded', txId })
  await process.close()
})

test('default: an outpriced transaction is signed again with its nonce, and those behind it follow', async () => {
  const [input, behind] = [await prepareMint(), await prepareMint()]
  const process = await openRefused()
  const minted = process.chain.mint('stuck', input)
  await process.isRefused
  const first = await readRow('stuck')
  const old = feesOf(first.signedTransaction)
  await raiseBaseFee(old.maxFeePerGas * 2n)
  // Well priced, and one nonce later.
  const second = process.chain.mint('behind', behind)
  await expect
    .poll(async () => (await world.db.select().from(chainTransactions).where(rowOf('behind'))).length)
    .toBe(1)
  process.allow()
  await makeOld('stuck', 4)
  const result = await minted
  expect(result.status).toBe('succeeded')
  expect((await second).status).toBe('succeeded')
  const last = await readRow('stuck')
  expect(result.txId).toBe(last.txId)
  expect(last).toMatchObject({ nonce: first.nonce, status: 'succeeded', otherTxIds: [first.txId] })
  const raised = feesOf(last.signedTransaction)
  expect(raised.maxFeePerGas * 8n).toBeGreaterThan(old.maxFeePerGas * 9n)
  expect(raised.maxPriorityFeePerGas * 8n).toBeGreaterThan(old.maxPriorityFeePerGas * 9n)
  expect(await world.chain.ownerOf({ ...input, tokenId: 1n })).toBe(input.tokens[0]?.recipient)
  await process.close()
})

test('behavior: it may land under any of its hashes', async () => {
  const input = await prepareMint()
  const first = await world.chain.mint('any', input)
  const { txId } = await readRow('any')
  // As if the first version landed just before the second was signed.
  const second = `0x${'ab'.repeat(32)}`
  await world.db
    .update(chainTransactions)
    .set({ status: 'signed', blockNumber: null, txId: second, otherTxIds: [txId] })
    .where(rowOf('any'))
  expect(await world.chain.mint('any', input)).toEqual(first)
  expect(await readRow('any')).toMatchObject({ txId, otherTxIds: [second], status: 'succeeded' })
})

test('error: a transaction that the node refuses permanently gives up its nonce, and those behind it follow', async () => {
  const [input, behind] = [await prepareMint(), await prepareMint()]
  let capped: string | undefined
  let refusedCount = 0
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    (body) => {
      if (!body.includes('eth_sendRawTransaction')) return undefined
      capped ??= body
      const { params } = JSON.parse(capped) as { params: [string] }
      if (!body.includes(params[0])) return undefined
      refusedCount++
      return { code: -32000, message: 'tx fee (1.20 ether) exceeds the configured cap (1.00 ether)' }
    },
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  await chain.ready()
  const minted = chain.mint('capped', input)
  await expect.poll(() => capped).toBeDefined()
  const first = await readRow('capped')
  const second = chain.mint('uncapped', behind)
  // Only after a while, because another node may have no such cap.
  await expect.poll(() => refusedCount).toBeGreaterThan(10)
  expect(await readRow('capped')).toMatchObject({ txId: first.txId, status: 'signed' })
  await makeOld('capped', 4)
  expect(await minted).toMatchObject({ status: 'failed', reason: expect.stringContaining('configured cap') })
  expect((await second).status).toBe('succeeded')
  expect(await readRow('capped')).toMatchObject({ nonce: first.nonce, otherTxIds: [first.txId] })
  await relay.close()
})
