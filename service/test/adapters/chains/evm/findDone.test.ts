import { eq } from 'drizzle-orm'
import { encodeErrorResult, encodeFunctionData, getAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Collection721 } from '#adapters/chains/evm/artifacts/Collection721.js'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import { createMint } from '../../../helpers/createMint.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { startRelay } from '../../../helpers/startRelay.js'

let world: Awaited<ReturnType<typeof createTestChain>>

beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

const rowOf = (key: string) => eq(chainTransactions.key, `base-sepolia:${key}`)

/** As if the database was reset to before the transaction was signed. */
const forget = (key: string) => world.db.delete(chainTransactions).where(rowOf(key))

/** Mints one token and deletes its record. */
const mintForgotten = async (recipient = createMint().recipient) => {
  const { collection, contractAddress } = await world.createCollection()
  const input = { collection, contractAddress, tokens: [createMint({ recipient })] }
  const key = `mint:${contractAddress}`
  const first = await world.chain.mint(key, input)
  expect(first.status).toBe('succeeded')
  await forget(key)
  return { key, input, first }
}

const depositOf = (orderId: string) => getAddress(world.chain.paymentTarget({ orderId, currency: 'usdc' }))

const pay = async (currency: 'eth' | 'usdc', units: bigint) => {
  const payer = await world.createPayer()
  if (currency === 'usdc') await payer.mintTokens(currency, units)
  const orderId = crypto.randomUUID()
  const input = { orderId, payer: payer.address, currency, units, deadlineMs: Date.now() + 600_000 }
  const prepared = await world.chain.preparePayment(input)
  if (prepared.status !== 'ready') throw new Error(prepared.status)
  await payer.pay(prepared.serializedTransaction)
  return { orderId, payer: payer.address }
}

describe('mint', () => {
  test('default: a mint whose record is lost has succeeded', async () => {
    const { key, input, first } = await mintForgotten()
    expect(await world.chain.mint(key, input)).toEqual(first)
  })

  test('behavior: a mint recorded as reverted and mined again has succeeded', async () => {
    const { collection, contractAddress } = await world.createCollection()
    const input = { collection, tokens: [createMint()] }
    const first = await world.chain.mint(`again:${contractAddress}`, input)
    await world.db
      .update(chainTransactions)
      .set({ status: 'reverted', revertReason: 'reverted' })
      .where(rowOf(`again:${contractAddress}`))
    expect(await world.chain.mint(`again:${contractAddress}`, input)).toEqual(first)
  })

  test('behavior: a mint whose token was transferred since has succeeded', async () => {
    const recipient = await world.createPayer()
    const { key, input, first } = await mintForgotten(recipient.address)
    const args = [recipient.address, world.operator, 1n] as const
    const data = encodeFunctionData({ ...Collection721, functionName: 'transferFrom', args })
    const signed = await recipient.sign({ to: getAddress(input.contractAddress), data })
    const hash = await world.client.sendRawTransaction({ serializedTransaction: signed })
    await world.client.waitForTransactionReceipt({ hash })
    expect(await world.chain.ownerOf({ ...input, tokenId: 1n })).toBe(args[1])
    expect(await world.chain.mint(key, input)).toEqual(first)
  })

  test('error: chain-unavailable if the node does not show the mint of a transferred token', async () => {
    const recipient = await world.createPayer()
    const { key, input, first } = await mintForgotten(recipient.address)
    const args = [recipient.address, world.operator, 1n] as const
    const data = encodeFunctionData({ ...Collection721, functionName: 'transferFrom', args })
    const signed = await recipient.sign({ to: getAddress(input.contractAddress), data })
    const hash = await world.client.sendRawTransaction({ serializedTransaction: signed })
    await world.client.waitForTransactionReceipt({ hash })
    const relay = await startRelay(
      await world.node.rpcUrl(),
      async () => {},
      () => undefined,
      (body, answer) =>
        body.includes('eth_getLogs') ? JSON.stringify({ ...JSON.parse(answer), result: [] }) : answer,
    )
    const behind = world.open({ rpcUrl: async () => relay.url })
    await expect(behind.mint(key, input)).rejects.toMatchObject({ code: 'chain-unavailable' })
    expect(await world.chain.mint(key, input)).toEqual(first)
    await relay.close()
  })

  test("error: a token minted to another recipient is not this order's", async () => {
    const { key, input } = await mintForgotten()
    const tokens = [createMint()]
    expect(await world.chain.mint(key, { ...input, tokens })).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('ERC721InvalidSender'),
    })
  })

  test.each(['erc-721', 'erc-1155', 'erc-5643'] as const)(
    'error: an %s token of the same id and recipient that another write minted is not this one',
    async (standard) => {
      const { collection } = await world.createCollection({ standard })
      const token = createMint()
      const first = await world.chain.mint(`first:${collection.key}`, { collection, tokens: [token] })
      const second = { collection, tokens: [{ ...token, mintKey: crypto.randomUUID() }] }
      const result = await world.chain.mint(`second:${collection.key}`, second)
      // Copies share the id of their token, so that another one of them can be minted.
      const isNew =
        result.status === 'succeeded' && first.status === 'succeeded' && result.txId !== first.txId
      expect([result.status, isNew]).toEqual(
        standard === 'erc-1155' ? ['succeeded', true] : ['failed', false],
      )
    },
  )

  test('behavior: a mint that may still be reverted is waited for', async () => {
    const { key, input, first } = await mintForgotten()
    const chain = world.open({ confirmations: 3 })
    await expect(chain.mint(key, input)).rejects.toMatchObject({ code: 'chain-unavailable' })
    await world.client.mine({ blocks: 2 })
    expect(await chain.mint(key, input)).toEqual(first)
  })

  test('behavior: a node that limits the range of blocks is asked about smaller ranges', async () => {
    const { key, input, first } = await mintForgotten()
    await world.client.mine({ blocks: 1_500 })
    const asked: bigint[] = []
    const relay = await startRelay(
      await world.node.rpcUrl(),
      async () => {},
      (body) => {
        if (!body.includes('eth_getLogs')) return undefined
        const { params } = JSON.parse(body) as { params: [{ fromBlock: Hex; toBlock: Hex }] }
        const blocks = BigInt(params[0].toBlock) - BigInt(params[0].fromBlock) + 1n
        asked.push(blocks)
        return blocks > 1_000n ? { code: -32005, message: 'query exceeds max block range 1000' } : undefined
      },
    )
    expect(await world.open({ rpcUrl: async () => relay.url }).mint(key, input)).toEqual(first)
    expect(asked.filter((blocks) => blocks <= 1_000n)).toEqual([1_000n, expect.any(BigInt)])
    await relay.close()
  })

  test('error: chain-unavailable if the node reports a mint both as done and as not done', async () => {
    const { collection } = await world.createCollection()
    const input = { collection, tokens: [createMint()] }
    const errorName = 'ERC721InvalidSender'
    const args = ['0x0000000000000000000000000000000000000000'] as const
    // Reports it as done already, though it shows no token.
    const contradiction = {
      code: 3,
      message: 'execution reverted',
      data: encodeErrorResult({ ...Collection721, errorName, args }),
    }
    let isBehind = true
    const relay = await startRelay(
      await world.node.rpcUrl(),
      async () => {},
      (body) => (isBehind && body.includes('eth_estimateGas') ? contradiction : undefined),
    )
    const chain = world.open({ rpcUrl: async () => relay.url })
    const key = `both:${collection.key}`
    await expect(chain.mint(key, input)).rejects.toMatchObject({ code: 'chain-unavailable' })
    isBehind = false
    expect(await chain.mint(key, input)).toMatchObject({ status: 'succeeded' })
    await relay.close()
  })

  test('behavior: a batch whose tokens were all transferred since has succeeded', async () => {
    const { collection, contractAddress } = await world.createCollection()
    const holder = await world.createPayer()
    const tokens = [1n, 2n].map((tokenId) => createMint({ tokenId, recipient: holder.address }))
    const first = await world.chain.mint(`given:${collection.key}`, { collection, tokens })
    const args = [holder.address, world.operator, 2n] as const
    const data = encodeFunctionData({ ...Collection721, functionName: 'transferFrom', args })
    const serializedTransaction = await holder.sign({ to: contractAddress, data })
    const hash = await world.client.sendRawTransaction({ serializedTransaction })
    await world.client.waitForTransactionReceipt({ hash })
    expect(await world.chain.ownerOf({ contractAddress, tokenId: 2n })).toBe(world.operator)
    await forget(`given:${collection.key}`)
    expect(await world.chain.mint(`given:${collection.key}`, { collection, tokens })).toEqual(first)
    // A batch whose second token was never this write's.
    const foreign = [tokens[0] ?? createMint(), createMint({ tokenId: 2n })]
    const other = { collection, tokens: foreign }
    expect(await world.chain.mint(`other:${collection.key}`, other)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('ERC721InvalidSender'),
    })
  })

  test.each(['erc-721', 'erc-1155'] as const)(
    'error: an %s batch is refused as a whole if another write minted a part of it',
    async (standard) => {
      const { collection } = await world.createCollection({ standard })
      const [one, two] = [createMint(), createMint({ tokenId: 2n })]
      const alone = await world.chain.mint(`one:${collection.key}`, { collection, tokens: [one] })
      const both = { collection, tokens: [one, two] }
      expect(await world.chain.mint(`both:${collection.key}`, both)).toMatchObject({ status: 'failed' })
      // Separately, each is found or minted.
      const again = await world.chain.mint(`again:${collection.key}`, { collection, tokens: [one] })
      expect(again).toEqual(alone)
      const rest = await world.chain.mint(`rest:${collection.key}`, { collection, tokens: [two] })
      expect(rest.status).toBe('succeeded')
      expect(await world.chain.mint(`all:${collection.key}`, both)).toEqual(alone)
    },
  )

  test('behavior: a copy whose record is lost has succeeded, and a second copy of its token is separate', async () => {
    const { collection } = await world.createCollection({ standard: 'erc-1155' })
    const token = createMint()
    const input = { collection, tokens: [token] }
    const first = await world.chain.mint(`copy:${collection.key}`, input)
    const second = { collection, tokens: [{ ...token, mintKey: crypto.randomUUID() }] }
    expect(await world.chain.mint(`second:${collection.key}`, second)).not.toEqual(first)
    await forget(`copy:${collection.key}`)
    expect(await world.chain.mint(`copy:${collection.key}`, input)).toEqual(first)
  })
})

describe('payouts', () => {
  test.each(['eth', 'usdc'] as const)(
    'default: a refund of %s whose record is lost has succeeded',
    async (currency) => {
      const { orderId, payer } = await pay(currency, 1_000n)
      const input = { orderId, currency, units: 1_000n, recipient: payer }
      const first = await world.chain.refund(`refund:${orderId}`, input)
      expect(first.status).toBe('succeeded')
      await forget(`refund:${orderId}`)
      expect(await world.chain.refund(`refund:${orderId}`, input)).toEqual(first)
    },
  )

  test.each(['eth', 'usdc'] as const)(
    'behavior: a sweep of %s whose record is lost has succeeded',
    async (currency) => {
      const { orderId } = await pay(currency, 1_000n)
      const input = { orderId, currency, units: 1_000n }
      const first = await world.chain.sweep(`sweep:${orderId}`, input)
      expect(first.status).toBe('succeeded')
      await forget(`sweep:${orderId}`)
      expect(await world.chain.sweep(`sweep:${orderId}`, input)).toEqual(first)
    },
  )

  /** What a write may say differently than the one that used its id. */
  const differences = {
    amount: { units: 400n },
    recipient: { recipient: '0x00000000000000000000000000000000000000dd' },
  } as const
  const writes = (['refund', 'sweep'] as const).flatMap((write) =>
    (['eth', 'usdc'] as const).flatMap((currency) =>
      (Object.keys(differences) as (keyof typeof differences)[]).map((what) => ({ write, currency, what })),
    ),
  )

  test.each(writes)(
    'error: a $write of $currency whose id another one used, of another $what, has failed',
    async ({ write, currency, what }) => {
      const { orderId, payer } = await pay(currency, 1_000n)
      const input = { orderId, currency, units: 500n, recipient: payer }
      const key = `${write}:${orderId}`
      const first = await world.chain[write](key, input)
      await forget(key)
      const second = await world.chain[write](key, { ...input, ...differences[what] })
      const reason = expect.stringContaining('AlreadyPaidOut')
      expect([first.status, second]).toMatchObject(['succeeded', { status: 'failed', reason }])
    },
  )

  test.each(['eth', 'usdc'] as const)(
    'error: a refund of %s whose id a refund of another order used has failed',
    async (currency) => {
      const [one, other] = [await pay(currency, 1_000n), await pay(currency, 1_000n)]
      const key = `refund:${one.orderId}`
      const refund = { currency, units: 1_000n, recipient: one.payer }
      await world.chain.refund(key, { ...refund, orderId: one.orderId })
      await forget(key)
      const second = await world.chain.refund(key, { ...refund, orderId: other.orderId })
      expect(second).toMatchObject({ status: 'failed', reason: expect.stringContaining('AlreadyPaidOut') })
    },
  )

  test('error: a refund whose id a refund in another token used has failed', async () => {
    const { orderId, payer } = await pay('usdc', 1_000n)
    await world.createPayer().then((other) => other.mintTokens('usdxm', 1_000n, depositOf(orderId)))
    const input = { orderId, units: 500n, recipient: payer }
    const key = `refund:${orderId}`
    const first = await world.chain.refund(key, { ...input, currency: 'usdc' })
    await forget(key)
    const second = await world.chain.refund(key, { ...input, currency: 'usdxm' })
    const reason = expect.stringContaining('AlreadyPaidOut')
    expect([first.status, second]).toMatchObject(['succeeded', { status: 'failed', reason }])
  })
})
