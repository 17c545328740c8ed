import { expect, test } from 'vitest'
import type { Collection } from '#goods/collections/viewCollection.js'
import { firstBlock } from '#holdings/tokens/firstBlock.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'

const hourMs = 60 * 60_000
const address = `0x${'c'.repeat(40)}`

/** A chain with a block every two seconds, up to now. */
const open = (isLocal = false) => {
  let nowMs = 1_800_000_000_000
  const chain = createFakeChain({ now: () => nowMs, isLocal })
  for (let block = 0; block < 20_000; block++) {
    nowMs += 2_000
    chain.mine()
  }
  return { chain, now: () => nowMs }
}
const { chain, now } = open()
const collection = (sinceMs: number) =>
  ({ contractTxId: '0xmade', createdAt: new Date(now() - sinceMs) }) as Collection
const find = (fromBlock: bigint | undefined, made?: Collection) =>
  firstBlock({ now }, chain.port, {
    head: chain.head(),
    place: { address, fromBlock, collection: made },
  })

test('default: the block of the transaction that made the contract', async () => {
  const port = {
    ...chain.port,
    findTransactionBlock: async (txId: string) => (txId === '0xmade' ? 77n : undefined),
  }
  const contract = { address, fromBlock: undefined, collection: collection(hourMs) }
  expect(await firstBlock({ now }, port, { head: chain.head(), place: contract })).toBe(77n)
})

test('behavior: one that the operator named, from the block that they named', async () => {
  expect(await find(123n)).toBe(123n)
  expect(await find(0n)).toBe(0n)
})

test('behavior: where the transaction is forgotten, by the time since the collection was asked for', async () => {
  const found = await find(undefined, collection(3 * hourMs))
  // Three hours and a slack of one, at 1800 blocks an hour, and a quarter more.
  expect(Number(20_000n - found)).toBeGreaterThanOrEqual(9_000)
  expect(Number(20_000n - found)).toBeLessThan(9_100)
  expect(await find(undefined, collection(1_000 * hourMs))).toBe(0n)
})

test('behavior: a wallet, from about when the service first knew it', async () => {
  const createdAt = new Date(now() - 3 * hourMs)
  const wallet = { address, cursor: `wallet:${address}`, createdAt } as const
  const found = await firstBlock({ now }, chain.port, { head: chain.head(), place: wallet })
  expect(Number(20_000n - found)).toBeGreaterThanOrEqual(9_000)
  expect(Number(20_000n - found)).toBeLessThan(9_100)
})

test('behavior: a development chain is read from its beginning', async () => {
  const local = { ...chain.port, isLocal: true }
  const contract = { address, fromBlock: 500n, collection: undefined }
  expect(await firstBlock({ now }, local, { head: chain.head(), place: contract })).toBe(0n)
})
