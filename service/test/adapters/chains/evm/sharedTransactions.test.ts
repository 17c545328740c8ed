import { eq, like } from 'drizzle-orm'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chainTransactions, sharedCalls } from '#base/db/tables/chainTransactions.js'
import { ServiceError } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { TokenMint } from '#base/ports/collections.js'
import type { WriteOptions } from '#base/ports/write.js'
import { createMint } from '../../../helpers/createMint.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { startRelay } from '../../../helpers/startRelay.js'

let world: Awaited<ReturnType<typeof createTestChain>>
beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

type Collection = Awaited<ReturnType<typeof world.createCollection>>
let drop: Collection
beforeEach(async () => {
  drop = await world.createCollection()
})

const count = 12
const keyOf = (index: number): string => `order:${drop.collection.key}:${index}`

const mintOne = (
  index: number,
  { chain = world.chain, token, ...options }: { chain?: ChainPort; token?: TokenMint } & WriteOptions = {},
) => {
  const tokens = [token ?? createMint({ tokenId: BigInt(index + 1) })]
  return chain.mint(keyOf(index), { collection: drop.collection, tokens }, options)
}

const mintAll = (options: (index: number) => Parameters<typeof mintOne>[1] = () => ({})) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => mintOne(index, options(index))))

type Settled = Awaited<ReturnType<typeof mintAll>>
const txIdsOf = (settled: Settled): string[] =>
  settled.flatMap((each) =>
    each.status === 'fulfilled' && each.value.status === 'succeeded' ? [each.value.txId] : [],
  )

const isMinted = async (index: number): Promise<boolean> => {
  const { contractAddress } = drop
  return (await world.chain.ownerOf({ contractAddress, tokenId: BigInt(index + 1) })) !== undefined
}
const findMinted = async (): Promise<number[]> => {
  const areMinted = await Promise.all(Array.from({ length: count }, (_, index) => isMinted(index)))
  return areMinted.flatMap((isOne, index) => (isOne ? [index] : []))
}
const all = Array.from({ length: count }, (_, index) => index)

const listShared = () => world.database.db.select().from(sharedCalls)

describe('mints of one collection', () => {
  test('default: that come at once share transactions, and each is told its own end', async () => {
    const settled = await mintAll()
    expect(txIdsOf(settled)).toHaveLength(count)
    // The first one goes alone.
    expect(new Set(txIdsOf(settled)).size).toBe(2)
    expect(await findMinted()).toEqual(all)
  })

  test('behavior: one that comes alone has a transaction of its own, under its own key', async () => {
    expect(await mintOne(0)).toMatchObject({ status: 'succeeded' })
    const key = `base-sepolia:${keyOf(0)}`
    const rows = await world.database.db
      .select()
      .from(chainTransactions)
      .where(eq(chainTransactions.key, key))
    expect(rows).toMatchObject([{ status: 'succeeded' }])
  })

  test('behavior: asked again under its key, each finds its transaction and sends nothing', async () => {
    const first = txIdsOf(await mintAll())
    const before = await world.client.getTransactionCount({ address: world.operator })
    expect(txIdsOf(await mintAll())).toEqual(first)
    expect(await world.client.getTransactionCount({ address: world.operator })).toBe(before)
  })

  test('behavior: two callers of one key share one mint', async () => {
    const [, ...twice] = await Promise.all([mintOne(0), mintOne(1), mintOne(1), mintOne(2)])
    expect(twice[0]).toEqual(twice[1])
    expect(twice[0]).toMatchObject({ status: 'succeeded' })
  })

  test('behavior: one that the chain refuses holds up no other', async () => {
    expect(await mintOne(100, { token: createMint({ tokenId: 5n }) })).toMatchObject({ status: 'succeeded' })
    const settled = await mintAll()
    // Token 5 exists, minted for another recipient.
    expect(settled[4]).toMatchObject({
      value: { status: 'failed', reason: expect.stringContaining('ERC721InvalidSender') },
    })
    expect(txIdsOf(settled)).toHaveLength(count - 1)
    expect(await findMinted()).toEqual(all)
  })

  test('behavior: one that is not due any more is left out', async () => {
    const settled = await mintAll((index) => ({
      assertDue: async () => {
        if (index === 3) throw new ServiceError('conflict', 'its payment is lost')
      },
    }))
    expect(settled[3]).toMatchObject({ status: 'rejected', reason: { code: 'conflict' } })
    expect(txIdsOf(settled)).toHaveLength(count - 1)
    expect(await findMinted()).toEqual(all.filter((index) => index !== 3))
    expect((await listShared()).map(({ key }) => key)).not.toContain(`base-sepolia:${keyOf(3)}`)
  })

  test('behavior: each is told that the shared transaction was sent', async () => {
    const told = { signed: 0, sent: 0 }
    await mintAll(() => ({ onSigned: () => (told.signed += 1), onSent: () => (told.sent += 1) }))
    expect(told).toEqual({ signed: count, sent: count })
  })

  test('behavior: those of another process that was killed once it had signed are sent once', async () => {
    // Its node takes no transactions.
    const relay = await startRelay(
      await world.node.rpcUrl(),
      async () => {},
      (body) => (body.includes('eth_sendRawTransaction') ? 503 : undefined),
    )
    const killed = world.open({ rpcUrl: async () => relay.url })
    await killed.ready()
    const settled = await mintAll(() => ({ chain: killed }))
    expect(settled.map(({ status }) => status)).toEqual(all.map(() => 'rejected'))
    expect(await findMinted()).toEqual([])
    await relay.close()
    const again = await mintAll()
    expect(txIdsOf(again)).toHaveLength(count)
    expect(new Set(txIdsOf(again)).size).toBe(2)
    expect(await findMinted()).toEqual(all)
  })

  test('behavior: two processes at once mint each once', async () => {
    const other = world.open()
    await other.ready()
    const [mine, its] = await Promise.all([mintAll(), mintAll(() => ({ chain: other }))])
    expect(txIdsOf(mine)).toEqual(txIdsOf(its))
    expect(txIdsOf(mine)).toHaveLength(count)
    expect(await findMinted()).toEqual(all)
  })
})

describe('a shared transaction that reverts', () => {
  /** An adapter whose node asks for too little gas for long calls, so that shared transactions run out of it. */
  const openShort = async () => {
    const relay = await startRelay(
      await world.node.rpcUrl(),
      async () => {},
      () => undefined,
      (body, answer) =>
        body.includes('eth_estimateGas') && body.length > 3_000
          ? JSON.stringify({ ...JSON.parse(answer), result: numberToHex(400_000n) })
          : answer,
    )
    const chain = world.open({ rpcUrl: async () => relay.url })
    await chain.ready()
    return { chain, close: relay.close }
  }

  test('behavior: its writes are sent again, each alone', async () => {
    const { chain, close } = await openShort()
    const settled = await mintAll(() => ({ chain }))
    await close()
    expect(txIdsOf(settled)).toHaveLength(count)
    expect(new Set(txIdsOf(settled)).size).toBe(count)
    expect(await findMinted()).toEqual(all)
    const rows = await world.database.db
      .select({ status: chainTransactions.status })
      .from(sharedCalls)
      .innerJoin(chainTransactions, eq(chainTransactions.key, sharedCalls.transactionKey))
      .where(like(sharedCalls.key, `%${drop.collection.key}%`))
    expect(rows.map(({ status }) => status)).toEqual(new Array(count - 1).fill('reverted'))
  })

  test('behavior: asked again, each finds the transaction that it had alone', async () => {
    const { chain, close } = await openShort()
    const first = txIdsOf(await mintAll(() => ({ chain })))
    await close()
    expect(txIdsOf(await mintAll())).toEqual(first)
  })
})

describe('payouts', () => {
  const payOrders = (currency: string): Promise<string[]> =>
    Promise.all(
      all.map(async () => {
        const orderId = crypto.randomUUID()
        const payer = await world.createPayer()
        if (currency !== 'eth') await payer.mintTokens(currency, 1_000n)
        const quote = { orderId, currency, units: 1_000n, payer: payer.address }
        const prepared = await world.chain.preparePayment({ ...quote, deadlineMs: Date.now() + 600_000 })
        if (prepared.status !== 'ready') throw new Error(prepared.status)
        await payer.pay(prepared.serializedTransaction)
        return orderId
      }),
    )

  test.each(['eth', 'usdc'])(
    'default: sweeps of %s share transactions, each pays once, and the ledger sees each',
    async (currency) => {
      const orders = await payOrders(currency)
      const { address: recipient } = await world.createPayer(0n)
      const sweep = (orderId: string) =>
        world.chain.sweep(`sweep:${orderId}`, { orderId, currency, units: 1_000n, recipient })
      const swept = await Promise.all(orders.map(sweep))
      expect(swept.map(({ status }) => status)).toEqual(all.map(() => 'succeeded'))
      expect(new Set(swept.map((each) => 'txId' in each && each.txId)).size).toBe(2)
      expect(await Promise.all(orders.map(sweep))).toEqual(swept)
      const received =
        currency === 'eth'
          ? await world.client.getBalance({ address: recipient })
          : await world.tokensOf(recipient, currency)
      expect(received).toBe(BigInt(count) * 1_000n)
      const { paidOut, held } = await world.chain.getStatement(
        orders.map((orderId) => ({ orderId, payOutKeys: [`sweep:${orderId}`] })),
      )
      const paid = orders.map((orderId) => ({ key: `sweep:${orderId}`, currency, units: 1_000n }))
      expect(new Set(paidOut)).toEqual(new Set(paid))
      expect(held).toEqual([])
    },
  )

  test('behavior: a recipient that refuses coins is credited, and the others are paid', async () => {
    const [first = '', refused = '', ...others] = await payOrders('eth')
    const { address } = await world.createPayer()
    await world.client.setCode({ address, bytecode: '0x60006000fd' })
    const sweep = (orderId: string) =>
      world.chain.sweep(`sweep:${orderId}`, {
        orderId,
        currency: 'eth',
        units: 1_000n,
        ...(orderId === refused && { recipient: address }),
      })
    const [, credited, ...swept] = await Promise.all([first, refused, ...others].map(sweep))
    expect(credited).toMatchObject({ status: 'credited' })
    expect(swept.map(({ status }) => status)).toEqual(others.map(() => 'succeeded'))
  })

  test('behavior: a refund whose payment is lost is given up, and those that share its transaction are sent', async () => {
    const orders = await payOrders('eth')
    const { address: recipient } = await world.createPayer(0n)
    const lost = `refund:${orders[4]}`
    // Its node takes no shared transactions, so the one that is signed waits.
    const relay = await startRelay(
      await world.node.rpcUrl(),
      async () => {},
      (body) => (body.includes('eth_sendRawTransaction') && body.length > 3_000 ? 503 : undefined),
    )
    const waiting = world.open({ rpcUrl: async () => relay.url })
    await waiting.ready()
    const refund = (chain: ChainPort) => (orderId: string) =>
      chain.refund(`refund:${orderId}`, { orderId, currency: 'eth', units: 1_000n, recipient })
    await Promise.allSettled(orders.map(refund(waiting)))
    await relay.close()
    const chain = world.open({
      explainUndue: async (key) => (key === lost ? 'its payment was taken back' : undefined),
    })
    await chain.ready()
    const settled = await Promise.all(orders.filter((_, index) => index !== 4).map(refund(chain)))
    expect(settled.map(({ status }) => status)).toEqual(settled.map(() => 'succeeded'))
    expect(await world.client.getBalance({ address: recipient })).toBe(BigInt(count - 1) * 1_000n)
  })
})
