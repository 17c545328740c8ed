import { beforeEach, expect, test } from 'vitest'
import type { Config } from '#base/config/config.js'
import { tokenCursors, tokenHoldings } from '#base/db/tables/index.js'
import { listWalletTokens } from '#holdings/tokens/listWalletTokens.js'
import { watchTokens } from '#holdings/tokens/watchTokens.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createNftWorld, type NftWorld } from '../../helpers/createNftWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const ada = `0x${'a'.repeat(40)}`
const bob = `0x${'b'.repeat(40)}`

const database = openBeforeAll(createTestDatabase)
let chain: FakeChain
let world: NftWorld
let skippedMs: number
let watcher: ReturnType<typeof watchTokens> | undefined

beforeEach(async () => {
  skippedMs = 0
  await clearDatabase(database.db)
  await database.db.delete(tokenHoldings)
  await database.db.delete(tokenCursors)
})

const now = () => Date.now() + skippedMs
const open = async (others: readonly FakeChain[] = [], config: Partial<Config> = {}) => {
  chain = createFakeChain({ now, isLocal: false })
  const chains = [chain, ...others].map(({ port }) => port)
  world = await createNftWorld({ db: database.db, chains, now, config })
  await world.createCollection({ id: 'tea' })
  await world.mint('tea', { recipient: `base-sepolia:${ada}` })
  await world.drain()
}
const contract = () =>
  chain.port.collectionAddress({ key: `collection:${world.projectId}:tea`, standard: 'erc-721' })
const watch = async (until: () => Promise<void>) => {
  watcher = watchTokens(world.deps, { tickMs: 5, lookEveryMs: 5, recheckEveryMs: 5, maxBackOffMs: 10 })
  try {
    await until()
  } finally {
    await watcher.stop()
  }
}
const holders = async () =>
  (await database.db.select().from(tokenHoldings)).filter(({ leftAt }) => !leftAt).map(({ holder }) => holder)
const list = () =>
  listWalletTokens(world.deps, world.serverCall, {
    identifier: `base-sepolia:${ada}`,
    page: 1,
    perPage: 10,
  })

test('default: tokens are recorded as they move, also when no list is requested', async () => {
  await open()
  await watch(async () => {
    await expect.poll(holders).toEqual([ada])
    chain.mine()
    chain.wallets.move({ contract: contract(), tokenId: '1', from: ada, to: bob })
    await expect.poll(holders).toEqual([bob])
  })
})

test('behavior: what a reorganisation gives back without a log is found again', async () => {
  await open()
  await watch(async () => {
    await expect.poll(holders).toEqual([ada])
    chain.mine()
    chain.wallets.move({ contract: contract(), tokenId: '1', from: ada, to: bob })
    await expect.poll(holders).toEqual([bob])
    chain.wallets.transfers.pop()
    chain.wallets.move({ contract: contract(), tokenId: '1', from: bob, to: ada })
    chain.wallets.transfers.pop()
    await expect.poll(async () => (await holders()).includes(ada)).toBe(true)
    expect((await list()).map(({ tokenId }) => tokenId)).toEqual(['1'])
  })
})

test('behavior: a development chain is not read before its first reader', async () => {
  const named = `0x${'c'.repeat(40)}`
  const settings = { rpcUrl: undefined, confirmations: 1, tokens: [] }
  const nftContracts = [{ address: named, fromBlock: 0n }]
  const known = { ...settings, nftContracts }
  const local = createFakeChain({ now, chain: 'polygon-amoy' })
  await open([local], { chains: { 'base-sepolia': known, 'polygon-amoy': known } })
  // A look at it would end in a line of the log.
  local.state.isAway = true
  await watch(async () => {
    for (const tokenId of ['1', '2', '3']) {
      chain.mine()
      chain.wallets.mint({ contract: named, tokenId, to: ada })
      await expect.poll(holders).toHaveLength(Number(tokenId) + 1)
    }
    expect(world.logged).toEqual([])
    local.state.isAway = false
    const query = { identifier: `polygon-amoy:${ada}`, page: 1, perPage: 10 }
    expect(await listWalletTokens(world.deps, world.serverCall, query)).toEqual([])
    local.state.isAway = true
    await expect.poll(() => world.logged.join()).toContain('cannot look for tokens')
  })
})

test('behavior: while a node is away it says so once, and goes on when it is back', async () => {
  await open()
  chain.state.isAway = true
  await watch(async () => {
    await expect.poll(() => world.logged.length).toBe(1)
    chain.state.isAway = false
    await expect.poll(holders).toEqual([ada])
    expect(world.logged[0]).toContain('cannot look for tokens')
    await expect.poll(() => world.logged[1]).toContain('looking for tokens again')
  })
})
