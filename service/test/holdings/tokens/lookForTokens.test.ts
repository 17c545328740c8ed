import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { tokenCursors, tokenHoldings } from '#base/db/tables/index.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { KnownContract } from '#holdings/tokens/listContracts.js'
import { lookForTokens, type TokenLookOptions } from '#holdings/tokens/lookForTokens.js'
import type { TokenPlace, WatchedWallet } from '#holdings/tokens/tokenPlace.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'
import { testConfig } from '../../helpers/testConfig.js'

const ada = `0x${'a'.repeat(40)}`
const bob = `0x${'b'.repeat(40)}`
const tea = `0x${'c'.repeat(40)}`
const rum = `0x${'d'.repeat(40)}`

describe.each(databaseKinds.map((kind) => [kind.name, kind] as const))('%s', (_name, kind) => {
  let database: OpenDatabase & { url?: string }
  let chain: FakeChain
  let logged: string[]
  let nowMs: number
  let asked: { fromBlock: bigint; toBlock: bigint; contracts: readonly string[] }[]

  beforeAll(async () => {
    database = await kind.open()
  })
  afterAll(async () => {
    await database.close()
  })
  beforeEach(async () => {
    nowMs = 1_800_000_000_000
    logged = []
    asked = []
    await database.db.delete(tokenHoldings)
    await database.db.delete(tokenCursors)
    chain = createFakeChain({ now: () => nowMs, isLocal: false })
    const { findTransfers } = chain.port.wallets
    Object.assign(chain.port.wallets, {
      findTransfers: (input: (typeof asked)[number]) => {
        asked.push(input)
        return findTransfers(input)
      },
    } satisfies Partial<ChainPort['wallets']>)
  })

  const contract = (address: string, fromBlock: bigint | undefined = 0n): KnownContract => ({
    address,
    fromBlock,
    collection: undefined,
  })
  const look = (
    contracts: readonly TokenPlace[] = [contract(tea)],
    change: Partial<TokenLookOptions> = {},
    db = database.db,
  ): Promise<boolean> => {
    const log = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`)
    const deps = { db, now: () => nowMs, config: testConfig, log: { info: log, warn: log, error: log } }
    return lookForTokens(deps, chain.port, contracts, {
      readsAgain: async () => 12n,
      maxBlocks: 100,
      savedBlocks: 1,
      mayGoOn: () => true,
      ...change,
    })
  }
  const mint = (tokenId: string, to = ada, address = tea) => {
    chain.mine()
    chain.wallets.mint({ contract: address, tokenId, to })
  }
  const read = async (holder = ada) => {
    const isTheirs = eq(tokenHoldings.holder, holder)
    const rows = await database.db.select().from(tokenHoldings).where(isTheirs).orderBy(asc(tokenHoldings.id))
    return rows.map(({ tokenId, leftAt }) => (leftAt ? `${tokenId} left` : tokenId))
  }
  const cursorOf = async (address = tea) =>
    (await database.db.select().from(tokenCursors).where(eq(tokenCursors.contract, address)))[0]
  const ranges = () => asked.map(({ fromBlock, toBlock }) => `${fromBlock}-${toBlock}`)

  test('default: from the first block to the head in pieces, then the last blocks again', async () => {
    mint('1')
    chain.mine(250)
    mint('2')
    expect(await look()).toBe(true)
    expect(await read()).toEqual(['1', '2'])
    expect(ranges()).toEqual(['0-99', '100-199', '200-252'])
    expect(await cursorOf()).toMatchObject({ blockNumber: 252n, blockHash: chain.head().hash })
    chain.mine(3)
    await look()
    expect(ranges().slice(3)).toEqual(['243-255'])
    expect(await read()).toEqual(['1', '2'])
  })

  test('behavior: contracts that were read less far catch up, then all are read together', async () => {
    chain.mine(150)
    await look()
    mint('7', ada, rum)
    asked.length = 0
    await look([contract(tea), contract(rum, 30n)])
    expect(asked.map(({ contracts }) => contracts.length)).toEqual([1, 1, 2])
    expect(ranges()).toEqual(['30-129', '130-138', '139-151'])
    expect(await read()).toEqual(['7'])
  })

  test('behavior: one that may not go on keeps what it has, and is gone on from', async () => {
    mint('1')
    chain.mine(350)
    mint('2')
    let left = 2
    expect(await look(undefined, { mayGoOn: () => left-- > 0 })).toBe(false)
    expect((await cursorOf())?.blockNumber).toBe(199n)
    expect(await read()).toEqual(['1'])
    expect(await look()).toBe(true)
    expect(await read()).toEqual(['1', '2'])
  })

  test('behavior: who had a token long ago never gets a place; who loses one keeps it a while', async () => {
    mint('1')
    mint('2')
    chain.mine()
    chain.wallets.move({ contract: tea, tokenId: '1', from: ada, to: bob })
    await look()
    expect(await read()).toEqual(['2'])
    expect(await read(bob)).toEqual(['1'])
    await database.db.delete(tokenCursors)
    await database.db.delete(tokenHoldings)
    mint('3')
    chain.mine(30)
    chain.wallets.move({ contract: tea, tokenId: '3', from: ada, to: bob })
    chain.mine(30)
    // In pieces: it came in one, and left in a later one.
    await look(undefined, { maxBlocks: 2 })
    expect(ranges().slice(-2)).toEqual(['39-51', '52-64'])
    expect(await read()).toEqual(['2'])
    chain.mine()
    chain.wallets.move({ contract: tea, tokenId: '2', from: ada })
    await look()
    expect(await read()).toEqual(['2 left'])
  })

  test('behavior: logs that a node hid at first are found at a later look', async () => {
    mint('1')
    const hidden = chain.wallets.transfers.splice(0)
    chain.mine(5)
    await look()
    expect(await read()).toEqual([])
    chain.wallets.transfers.push(...hidden)
    await look()
    expect(await read()).toEqual(['1'])
  })

  test('behavior: a node that is behind undoes nothing; a chain that lacks blocks for long is read again', async () => {
    mint('1')
    chain.mine(20)
    await look()
    chain.state.behind = 10
    asked.length = 0
    expect(await look()).toBe(true)
    expect(asked).toEqual([])
    nowMs += 10 * 60_000
    expect(await look()).toBe(true)
    expect(ranges()).toEqual(['0-11'])
    expect(logged.join()).toContain('lacks blocks')
  })

  test('behavior: a node that refuses is asked for less; what it never tells is left out, and only it', async () => {
    mint('1')
    mint('2')
    mint('3')
    const { findTransfers } = chain.port.wallets
    Object.assign(chain.port.wallets, {
      findTransfers: async (input: (typeof asked)[number]) => {
        if (input.fromBlock <= 2n && input.toBlock >= 2n) throw new Error('the answer is too long')
        return findTransfers(input)
      },
    } satisfies Partial<ChainPort['wallets']>)
    expect(await look()).toBe(true)
    expect(await read()).toEqual(['1', '3'])
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('left out')
  })

  test('error: chain-unavailable, and nothing is skipped', async () => {
    mint('1')
    chain.state.isAway = true
    await expect(look()).rejects.toMatchObject({ code: 'chain-unavailable' })
    chain.state.isAway = false
    await look()
    expect(await read()).toEqual(['1'])
  })

  describe('wallets', () => {
    const wallet = (address: string, createdAt = new Date(nowMs)): WatchedWallet => ({
      address,
      cursor: `wallet:${address}`,
      createdAt,
    })
    /** How many wallets each question named, and of which blocks. */
    const watchQuestions = () => {
      const questions: string[] = []
      const { findTransfersOf } = chain.port.wallets
      Object.assign(chain.port.wallets, {
        findTransfersOf: (input: Parameters<typeof findTransfersOf>[0]) => {
          questions.push(`${input.wallets.length} in ${input.fromBlock}-${input.toBlock}`)
          return findTransfersOf(input)
        },
      } satisfies Partial<ChainPort['wallets']>)
      return questions
    }

    test('default: the tokens of any contract', async () => {
      mint('1', ada, `0x${'e'.repeat(40)}`)
      mint('2', ada, `0x${'f'.repeat(40)}`)
      mint('3', bob, `0x${'f'.repeat(40)}`)
      expect(await look([wallet(ada)])).toBe(true)
      expect(await read()).toEqual(['1', '2'])
      // Of the other one no transfer was asked for.
      expect(await read(bob)).toEqual([])
    })

    test('behavior: who only traded with a watched wallet is shown nothing by halves', async () => {
      mint('1', bob)
      chain.wallets.move({ contract: tea, tokenId: '1', from: bob, to: ada })
      await look([wallet(ada)])
      expect(await read()).toEqual(['1'])
      expect(await read(bob)).toEqual([])
      chain.mine()
      chain.wallets.move({ contract: tea, tokenId: '1', from: ada, to: bob })
      await look([wallet(ada)])
      expect(await read()).toEqual(['1 left'])
    })

    test('behavior: 1,200 wallets take three questions a look, not 1,200', async () => {
      const many = Array.from({ length: 1_200 }, (_, at) => wallet(`0x${at.toString(16).padStart(40, '0')}`))
      await look(many)
      const questions = watchQuestions()
      chain.mine()
      await look(many)
      expect(questions.map((question) => question.split(' ')[0])).toEqual(['500', '500', '200'])
    })

    test('behavior: several processes at once write each token once, beside its contract too', async () => {
      const other = kind.name === 'PostgreSQL' ? await kind.open(database.url) : undefined
      for (let at = 1; at <= 60; at++) {
        mint(`${at}`)
        if (at % 3 === 0) chain.wallets.move({ contract: tea, tokenId: `${at}`, from: ada, to: bob })
      }
      const places = [wallet(ada), wallet(bob), contract(tea)]
      const looks = Array.from({ length: 12 }, (_, at) =>
        look(
          at % 3 ? places : places.slice(0, 2),
          { maxBlocks: 20 + at },
          (at % 2 && other?.db) || database.db,
        ),
      )
      expect(await Promise.all(looks)).toEqual(looks.map(() => true))
      expect((await read()).filter((token) => !token.endsWith('left'))).toHaveLength(40)
      expect(await read(bob)).toHaveLength(20)
      await other?.close()
    })
  })

  test('behavior: several processes at once write each token once, and lose none', async () => {
    const other = kind.name === 'PostgreSQL' ? await kind.open(database.url) : undefined
    for (let at = 1; at <= 60; at++) {
      mint(`${at}`)
      if (at % 3 === 0) chain.wallets.move({ contract: tea, tokenId: `${at}`, from: ada, to: bob })
    }
    const looks = Array.from({ length: 12 }, (_, at) =>
      look([contract(tea), contract(rum)], { maxBlocks: 20 + at }, (at % 2 && other?.db) || database.db),
    )
    expect(await Promise.all(looks)).toEqual(looks.map(() => true))
    expect((await read()).filter((token) => !token.endsWith('left'))).toHaveLength(40)
    expect(await read(bob)).toHaveLength(20)
    await other?.close()
  })
})
