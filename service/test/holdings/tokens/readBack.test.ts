import { beforeEach, expect, test } from 'vitest'
import { tokenCursors, tokenHoldings } from '#base/db/tables/index.js'
import type { ChainPort } from '#base/ports/chain.js'
import { readBack } from '#holdings/tokens/readBack.js'
import { addressCursor } from '#holdings/tokens/tokenPlace.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { testConfig } from '../../helpers/testConfig.js'

const ada = `0x${'a'.repeat(40)}`
const tea = `0x${'c'.repeat(40)}`

const database = openBeforeAll(createTestDatabase)
let chain: FakeChain
let nowMs = 1_800_000_000_000
/** The blocks of each question. */
let asked: string[]
/** The most blocks that the node answers for. */
let limit: bigint

beforeEach(async () => {
  await database.db.delete(tokenHoldings)
  await database.db.delete(tokenCursors)
  asked = []
  limit = 1_000_000n
  chain = createFakeChain({ now: () => nowMs, isLocal: false })
  const { findTransfersOf } = chain.port.wallets
  Object.assign(chain.port.wallets, {
    findTransfersOf: async (input: Parameters<typeof findTransfersOf>[0]) => {
      asked.push(`${input.fromBlock}-${input.toBlock}`)
      if (input.toBlock - input.fromBlock >= limit) throw new Error('query returned more than 10000 results')
      return findTransfersOf(input)
    },
  } satisfies Partial<ChainPort['wallets']>)
})

const log = { info: () => {}, warn: () => {}, error: () => {} }
const look = () => {
  const deps = { db: database.db, now: () => nowMs, config: testConfig, log }
  const stranger = { address: ada, cursor: addressCursor(ada), createdAt: new Date(nowMs) }
  return readBack(deps, chain.port, chain.head(), stranger)
}
const read = async () => {
  const rows = await database.db.select().from(tokenHoldings).orderBy(tokenHoldings.id)
  return rows.map(({ tokenId }) => tokenId)
}
const mint = (tokenId: string) => chain.wallets.mint({ contract: tea, tokenId, to: ada })

test('default: the whole chain, by one question', async () => {
  mint('1')
  chain.mine(50_000)
  mint('2')
  await look()
  expect(asked).toEqual([`0-${chain.head().number}`])
  expect(await read()).toEqual(['1', '2'])
  await look()
  expect(asked).toHaveLength(1)
})

test('behavior: a node that limits its answers is asked for the last blocks, a bounded number of times', async () => {
  limit = 700n
  mint('1')
  chain.mine(50_000)
  mint('2')
  chain.mine(600)
  mint('3')
  await look()
  // The whole, 20 more: of these, two were too large.
  expect(asked).toHaveLength(21)
  expect(await read()).toEqual(['2', '3'])
})

test('behavior: what came and went is no place in the list', async () => {
  mint('1')
  chain.mine()
  chain.wallets.move({ contract: tea, tokenId: '1', from: ada, to: tea })
  mint('2')
  await look()
  expect(await read()).toEqual(['2'])
})

test('behavior: asked for again after long, it is read from where it was left', async () => {
  mint('1')
  await look()
  const { number } = chain.head()
  chain.mine(10_001)
  mint('2')
  await look()
  expect(asked.slice(1)).toEqual([`${number + 1n}-${chain.head().number}`])
  expect(await read()).toEqual(['1', '2'])
  nowMs += 1
})

test('error: chain-unavailable: nothing is remembered', async () => {
  mint('1')
  const head = chain.head()
  chain.state.isAway = true
  const deps = { db: database.db, now: () => nowMs, config: testConfig, log }
  const stranger = { address: ada, cursor: addressCursor(ada), createdAt: new Date(nowMs) }
  await expect(readBack(deps, chain.port, head, stranger)).rejects.toMatchObject({
    code: 'chain-unavailable',
  })
  expect(await database.db.select().from(tokenCursors)).toEqual([])
})
