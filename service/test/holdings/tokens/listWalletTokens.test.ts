import { eq, isNotNull } from 'drizzle-orm'
import fc from 'fast-check'
import type { WalletToken } from 'kassa/schema'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Call } from '#base/call.js'
import { tokenCursors, tokenHoldings, wallets } from '#base/db/tables/index.js'
import { listWalletTokens } from '#holdings/tokens/listWalletTokens.js'
import { recheckLeft } from '#holdings/tokens/recheckLeft.js'
import { createProject } from '#identity/projects/projects.js'
import { getOrCreateCustodialWallet } from '#identity/wallets/custodialWallet.js'
import { clearDatabase } from '../../helpers/clearDatabase.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { createNftWorld, type NftWorld } from '../../helpers/createNftWorld.js'
import { createTestDatabase } from '../../helpers/createTestDatabase.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const ada = `0x${'a'.repeat(40)}`
const bob = `0x${'b'.repeat(40)}`
const named = `0x${'c'.repeat(40)}`
const foreign = `0x${'d'.repeat(40)}`
const minuteMs = 60_000

const database = openBeforeAll(createTestDatabase)
let chain: FakeChain
let world: NftWorld
let nowMs: number

beforeEach(async () => {
  // On a whole ten minutes, at which places are given up.
  nowMs = 1_800_000_000_000
  await clearDatabase(database.db)
  await database.db.delete(tokenHoldings)
  await database.db.delete(tokenCursors)
  chain = createFakeChain({ now: () => nowMs })
  chain.mine(3)
  world = await createNftWorld({ db: database.db, chains: [chain.port], now: () => nowMs, config: config() })
  await world.createCollection({ id: 'tea' })
})

const config = () => ({
  chains: {
    'base-sepolia': {
      rpcUrl: undefined,
      confirmations: 1,
      tokens: [],
      nftContracts: [{ address: named, fromBlock: 0n }],
    },
  },
})

const list = (
  identifier = `base-sepolia:${ada}`,
  { page = 1, perPage = 10 } = {},
  call: Call = world.serverCall,
): Promise<WalletToken[]> => listWalletTokens(world.deps, call, { identifier, page, perPage })

const mint = async (count: number, body: object = {}): Promise<string> => {
  for (let at = 0; at < count; at++) await world.mint('tea', { recipient: `base-sepolia:${ada}`, ...body })
  await world.drain()
  return contractOf('tea')
}
const contractOf = (id: string, standard: 'erc-721' | 'erc-1155' = 'erc-721') =>
  chain.port.collectionAddress({ key: `collection:${world.projectId}:${id}`, standard })
const idsOf = (tokens: readonly WalletToken[]) => tokens.map(({ tokenId }) => tokenId)
const send = (contract: string, tokenId: string, from: string, to: string) => {
  chain.mine()
  chain.wallets.move({ contract, tokenId, from, to })
}

describe('what is listed', () => {
  test('default: what was just minted, with what it shows and where it is from', async () => {
    const contract = await mint(1)
    expect(await list()).toEqual([
      {
        chain: 'base-sepolia',
        contractAddress: contract,
        tokenId: '1',
        metadata: {
          name: 'One',
          image: 'ipfs://one',
          attributes: [],
          collection: { id: 'tea', name: 'tea', description: 'About tea', image: 'ipfs://picture' },
        },
        locator: `base-sepolia:${contract}:1`,
        tokenStandard: 'ERC-721',
      },
    ])
    expect(await list(`base-sepolia:${bob}`)).toEqual([])
  })

  test('behavior: a token that moved on is listed where it is, also one from outside the service', async () => {
    const contract = await mint(2)
    expect(idsOf(await list())).toEqual(['1', '2'])
    send(contract, '1', ada, bob)
    chain.wallets.mint({ contract, tokenId: '77', to: ada })
    expect(idsOf(await list())).toEqual(['2', '77'])
    expect(idsOf(await list(`base-sepolia:${bob}`))).toEqual(['1'])
  })

  test('behavior: semi-fungible tokens are listed as long as one of them is held', async () => {
    chain.wallets.mint({ contract: named, tokenId: '5', to: ada, standard: 'ERC-1155' })
    chain.wallets.mint({ contract: named, tokenId: '5', to: ada, standard: 'ERC-1155' })
    expect(await list()).toMatchObject([{ tokenId: '5', tokenStandard: 'ERC-1155' }])
    send(named, '5', ada, bob)
    expect(idsOf(await list())).toEqual(['5'])
    expect(idsOf(await list(`base-sepolia:${bob}`))).toEqual(['5'])
    send(named, '5', ada, bob)
    expect(await list()).toEqual([])
  })

  test('behavior: subscriptions say until when they run, however far that is', async () => {
    const standard = 'ERC-5643' as const
    chain.wallets.mint({ contract: named, tokenId: '1', to: ada, standard, expiresAt: 1_900_000_000n })
    chain.wallets.mint({ contract: named, tokenId: '2', to: ada, standard, expiresAt: 2n ** 64n - 1n })
    expect(await list()).toMatchObject([
      { tokenStandard: 'ERC-5643', subscription: { expiresAt: '2030-03-17T17:46:40.000Z' } },
      { subscription: { expiresAt: '9999-12-31T23:59:59.000Z' } },
    ])
  })

  test('behavior: a contract that says otherwise than its logs is not believed', async () => {
    await mint(1)
    chain.wallets.transfers.push({
      contract: contractOf('tea'),
      tokenId: '9',
      from: bob,
      to: ada,
      blockNumber: chain.mine().number,
    })
    expect(idsOf(await list())).toEqual(['1'])
  })

  /** Logs that tell of tokens which nobody got, before two that somebody did. */
  const mintBehindFalse = async (count: number): Promise<void> => {
    const { number } = chain.mine()
    for (let at = 0; at < count; at++)
      chain.wallets.transfers.push({
        contract: foreign,
        tokenId: `${at}`,
        from: bob,
        to: ada,
        blockNumber: number,
      })
    await mint(2)
  }

  test('behavior: thousands of tokens that only logs tell of take no places, and no page is empty before the end', async () => {
    await mintBehindFalse(5_000)
    const pages = []
    for (let page = 1; page <= 3; page++) pages.push(idsOf(await list(undefined, { page, perPage: 1 })))
    expect(pages).toEqual([['1'], ['2'], []])
    // A node that was behind may have said so wrongly.
    chain.wallets.mint({ contract: foreign, tokenId: '7', to: ada })
    await recheckLeft(world.deps, chain.port)
    expect(idsOf(await list())).toEqual(['1', '2', '7'])
  })

  test('error: chain-unavailable: there are more of them than there is time, and fewer at the next request', async () => {
    await mintBehindFalse(2_000)
    const { readTokens } = chain.port.wallets
    Object.assign(chain.port.wallets, {
      readTokens: (held: Parameters<typeof readTokens>[0]) => {
        nowMs += 2_000
        return readTokens(held)
      },
    })
    const readCount = async (): Promise<number> =>
      database.db.$count(tokenHoldings, isNotNull(tokenHoldings.leftAt))
    for (let left = 2_000; left > 0; left = 2_000 - (await readCount()))
      await expect(list()).rejects.toMatchObject({ code: 'chain-unavailable', retryAfterSeconds: 5 })
    expect(idsOf(await list())).toEqual(['1', '2'])
  })

  test('default: tokens of any contract; a collection is told of to its own project', async () => {
    await mint(1)
    chain.wallets.mint({ contract: foreign, tokenId: '7', to: ada })
    const projectId = await createProject(database.db, 'another')
    const other: Call = {
      ...world.serverCall,
      actor: { ...world.serverCall.actor, projectId } as Call['actor'],
    }
    const collections = (tokens: readonly WalletToken[]) => tokens.map(({ metadata }) => metadata.collection)
    expect(collections(await list(undefined, undefined, other))).toEqual([{}, {}])
    const own = await list()
    expect(idsOf(own)).toEqual(['1', '7'])
    expect(collections(own)).toMatchObject([{ id: 'tea' }, {}])
  })

  test('behavior: a chain that was reset has what it has now', async () => {
    const contract = await mint(3)
    chain.mine(80)
    expect(await list()).toHaveLength(3)
    chain.restart()
    chain.wallets.mint({ contract, tokenId: '1', to: bob })
    expect(await list()).toEqual([])
    expect(idsOf(await list(`base-sepolia:${bob}`))).toEqual(['1'])
  })
})

test('behavior: half a list is never shown: the next request goes on with a list that takes too long to read', async () => {
  chain.mine(20_000)
  chain.wallets.mint({ contract: named, tokenId: '1', to: ada })
  const { findTransfers } = chain.port.wallets
  Object.assign(chain.port.wallets, {
    findTransfers: (input: Parameters<typeof findTransfers>[0]) => {
      nowMs += 1_000
      return findTransfers(input)
    },
  })
  await expect(list()).rejects.toMatchObject({
    code: 'chain-unavailable',
    message: expect.stringContaining('still being read'),
    retryAfterSeconds: 5,
  })
  await expect(list()).rejects.toMatchObject({ code: 'chain-unavailable' })
  expect(idsOf(await list())).toEqual(['1'])
})

describe('parameters: identifier', () => {
  test('default: a user has what all their wallets of the project hold, each token once', async () => {
    const { address } = await getOrCreateCustodialWallet(world.deps, chain.port, {
      projectId: world.projectId,
      userLocator: 'email:ada@example.com',
    })
    const [custodial] = await database.db.select().from(wallets).where(eq(wallets.address, address))
    if (!custodial) throw new Error('there is no wallet')
    const smart = { ...custodial, id: crypto.randomUUID(), type: 'evm-smart-wallet' as const, address: bob }
    await database.db.insert(wallets).values(smart)
    const standard = 'ERC-1155' as const
    chain.wallets.mint({ contract: named, tokenId: '1', to: address, standard })
    chain.wallets.mint({ contract: named, tokenId: '2', to: bob, standard })
    chain.wallets.mint({ contract: named, tokenId: '1', to: bob, standard })
    expect(idsOf(await list('email:Ada@Example.com:base-sepolia'))).toEqual(['1', '2'])
    send(named, '1', address, ada)
    expect(idsOf(await list('email:ada@example.com:base-sepolia'))).toEqual(['1', '2'])
    expect(await list('userId:ada:base-sepolia')).toEqual([])
  })

  test.each([
    ['nothing', 'identifier: expected'],
    [`base-sepolia:${ada}1`, 'identifier: expected'],
    [`base-sepolia:${ada}:1`, 'identifier: expected'],
    [`base-sepolia:0x${'Aa'.repeat(20)}`, 'its checksum is wrong'],
    [`polygon:${ada}`, 'polygon is not enabled on this deployment (enabled: base-sepolia)'],
    ['email:ada@example.com:solana', 'solana is not enabled'],
    [`base-sepolia:${'1'.repeat(40)}`, 'is not an address on base-sepolia'],
  ])('error: %s', async (identifier, message) => {
    await expect(list(identifier)).rejects.toMatchObject({
      code: 'input-invalid',
      message: expect.stringContaining(message),
    })
  })

  test('error: chain-unavailable', async () => {
    chain.state.isAway = true
    await expect(list()).rejects.toMatchObject({ code: 'chain-unavailable' })
  })
})

describe('parameters: page', () => {
  /** Reads a list page by page; `between` happens after each page. */
  const walk = async (
    perPage: number,
    between: (page: number) => Promise<void> | void,
  ): Promise<string[]> => {
    const seen: string[] = []
    for (let page = 1; ; page++) {
      const tokens = await list(undefined, { page, perPage })
      if (!tokens.length) return seen
      seen.push(...tokens.map(({ tokenId = '' }) => tokenId))
      await between(page)
    }
  }

  test('behavior: nothing that stays is missed or seen twice while others come and go', async () => {
    const contract = await mint(20)
    const gone: Record<number, string[]> = { 1: ['1', '3', '12'], 2: ['8', '20'], 3: ['2', '14'] }
    const seen = await walk(5, (page) => {
      for (const tokenId of gone[page] ?? []) send(contract, tokenId, ada, bob)
      chain.wallets.mint({ contract, tokenId: `${100 + page}`, to: ada })
    })
    expect(new Set(seen).size).toBe(seen.length)
    const staying = Array.from({ length: 20 }, (_, at) => `${at + 1}`).filter(
      (tokenId) => !Object.values(gone).flat().includes(tokenId),
    )
    expect(seen).toEqual(expect.arrayContaining(staying))
  })

  test('behavior: whatever the size of the pages, and whatever moves', async () => {
    const pick = fc.record({
      perPage: fc.integer({ min: 1, max: 7 }),
      moves: fc.array(fc.array(fc.integer({ min: 0, max: 17 }), { maxLength: 4 }), { maxLength: 30 }),
    })
    await fc.assert(
      fc.asyncProperty(pick, async ({ perPage, moves }) => {
        await database.db.delete(tokenHoldings)
        await database.db.delete(tokenCursors)
        chain.wallets.restart()
        const holders = new Map<string, string>()
        for (let at = 0; at < 12; at++) {
          chain.wallets.mint({ contract: named, tokenId: `${at}`, to: ada })
          holders.set(`${at}`, ada)
        }
        const moved = new Set<string>()
        const seen: (string | undefined)[] = []
        for (let page = 1; page <= Math.ceil(18 / perPage); page++) {
          seen.push(...idsOf(await list(undefined, { page, perPage })))
          for (const at of moves[page] ?? []) {
            const [tokenId, from] = [`${at}`, holders.get(`${at}`)]
            const to = from === ada ? bob : ada
            if (from) send(named, tokenId, from, to)
            else chain.wallets.mint({ contract: named, tokenId, to })
            holders.set(tokenId, to)
            moved.add(tokenId)
          }
        }
        const staying = Array.from({ length: 12 }, (_, at) => `${at}`).filter((id) => !moved.has(id))
        expect(seen).toEqual(expect.arrayContaining(staying))
        expect(new Set(seen).size).toBe(seen.length)
      }),
      { numRuns: 25 },
    )
  })

  const two = (page: number) => list(undefined, { page, perPage: 2 })

  test('behavior: a list that is read anew has no gaps, except where another may be half read', async () => {
    const contract = await mint(4)
    expect(idsOf(await two(1))).toEqual(['1', '2'])
    send(contract, '1', ada, bob)
    expect(idsOf(await two(2))).toEqual(['3', '4'])
    nowMs += 29_000
    expect(idsOf(await two(1))).toEqual(['2'])
    expect(idsOf(await two(2))).toEqual(['3', '4'])
    nowMs += 1_000
    expect(idsOf(await two(2))).toEqual(['3', '4'])
    expect(idsOf(await two(1))).toEqual(['2', '3'])
    expect(idsOf(await two(2))).toEqual(['4'])
    send(contract, '1', bob, ada)
    expect(idsOf(await two(2))).toEqual(['4', '1'])
  })

  test('behavior: a place is kept for ten minutes, and for a token that comes back meanwhile', async () => {
    const contract = await mint(4)
    expect(idsOf(await two(1))).toEqual(['1', '2'])
    send(contract, '1', ada, bob)
    expect(idsOf(await two(2))).toEqual(['3', '4'])
    nowMs += 9 * minuteMs
    expect(idsOf(await two(2))).toEqual(['3', '4'])
    send(contract, '1', bob, ada)
    expect(idsOf(await two(1))).toEqual(['1', '2'])
    send(contract, '1', ada, bob)
    expect(idsOf(await two(2))).toEqual(['3', '4'])
    nowMs += 11 * minuteMs
    expect(idsOf(await two(2))).toEqual(['4'])
    send(contract, '1', bob, ada)
    expect(idsOf(await list())).toEqual(['2', '3', '4', '1'])
  })

  test('behavior: what a reorganisation brings back is back without a log; what is away is forgotten', async () => {
    const contract = await mint(2)
    await list()
    send(contract, '1', ada, bob)
    send(contract, '2', ada, bob)
    expect(await list()).toEqual([])
    chain.wallets.transfers.splice(-2)
    chain.wallets.move({ contract, tokenId: '1', from: bob, to: ada })
    chain.wallets.transfers.pop()
    await recheckLeft(world.deps, chain.port)
    expect(idsOf(await list())).toEqual(['1'])
    nowMs += 21 * minuteMs
    await recheckLeft(world.deps, chain.port)
    const rows = await database.db.select().from(tokenHoldings).where(eq(tokenHoldings.holder, ada))
    expect(rows.map(({ tokenId }) => tokenId)).toEqual(['1'])
  })

  test('behavior: two at once write each token once', async () => {
    await mint(12)
    const lists = await Promise.all([list(), list(), list(undefined, { page: 2 })])
    expect(lists.map((tokens) => tokens.length)).toEqual([10, 10, 2])
    expect(await database.db.select().from(tokenHoldings)).toHaveLength(12)
  })
})
