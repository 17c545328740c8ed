import type { Order } from 'kassa/schema'
import { type Address, concatHex, getAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { Collection721 } from '#adapters/chains/evm/artifacts/Collection721.js'
import { Collection1155 } from '#adapters/chains/evm/artifacts/Collection1155.js'
import { PaymentRouter } from '#adapters/chains/evm/artifacts/PaymentRouter.js'
import { Subscription721 } from '#adapters/chains/evm/artifacts/Subscription721.js'
import { getDeployments, toReference } from '#adapters/chains/evm/connection/addresses.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { readStored } from '../../helpers/readStored.js'

type Currency = 'eth' | 'usdc'
/** The price of one token of any collection here. */
const prices = { eth: 10n ** 16n, usdc: 30_000_000n }
const recipient = '0x000000000000000000000000000000000000dEaD'
let skippedMs = 0
const chain = openBeforeAll(createTestChain)
let world: OrderWorld
let buyer: Awaited<ReturnType<(typeof chain)['createPayer']>>

beforeAll(async () => {
  world = await createOrderWorld({ db: chain.db, chains: [chain.chain], now: () => Date.now() + skippedMs })
  buyer = await chain.createPayer()
  await buyer.mintTokens('usdc', 1_000n * prices.usdc)
})

const itemsOf = (...locators: string[]) => locators.map((id) => ({ collectionLocator: `kassa:${id}` }))

/** Buys, pays, and runs all jobs. The ledger balances before and after. */
const buy = async (lineItems: readonly object[], currency: Currency = 'eth'): Promise<Order> => {
  const { order } = await world.create({
    lineItems,
    recipient: { walletAddress: recipient },
    payment: { method: 'base-sepolia', currency, payerAddress: buyer.address },
  })
  const transaction = order.payment.preparation?.serializedTransaction
  if (!transaction) throw new Error(`nothing to sign: ${order.payment.status}`)
  await buyer.pay(transaction)
  await world.look()
  const expectBalanced = async () => expect((await getLedger(world.deps)).differing).toEqual([])
  await expectBalanced()
  await world.drain()
  await expectBalanced()
  return world.get(order.orderId)
}

const newAddress = (): Address => privateKeyToAddress(generatePrivateKey())
/** Creates a collection whose proceeds go to a new address. */
const createPaid = async (id: string, recipientAddress: Address = newAddress()) => {
  await world.createCollection({ id, recipientAddress })
  return recipientAddress
}
const balanceOf = (address: Address, currency: Currency): Promise<bigint> =>
  currency === 'eth' ? chain.client.getBalance({ address }) : chain.tokensOf(address, currency)
const ledgerOf = ({ orderId }: Order) => getLedger(world.deps, { orderId })

describe.each(['eth', 'usdc'] as const)('proceeds in %s', (currency) => {
  const price = prices[currency]

  test('default: each recipient gets exactly the price of its sold items, and the treasury the rest', async () => {
    await world.createCollection({ id: `house-${currency}` })
    const ada = await createPaid(`ada-${currency}`)
    const bob = await createPaid(`bob-${currency}`)
    const treasuryBefore = await chain.tokensOf(chain.operator, 'usdc')
    const items = itemsOf(...['house', 'ada', 'bob', 'ada'].map((id) => `${id}-${currency}`))
    const order = await buy(items, currency)
    expect(order.phase).toBe('completed')
    expect(await balanceOf(ada, currency)).toBe(2n * price)
    expect(await balanceOf(bob, currency)).toBe(price)
    const treasury = (await chain.tokensOf(chain.operator, 'usdc')) - treasuryBefore
    expect(treasury).toBe(currency === 'usdc' ? price : 0n)
    expect(await ledgerOf(order)).toMatchObject({
      differing: [],
      unattributedFunds: [],
      refused: [],
      totals: [{ received: 4n * price, swept: 4n * price, held: 0n, difference: 0n }],
    })
  })

  test('behavior: a repeated job pays no recipient again', async () => {
    const ada = await createPaid(`once-${currency}`)
    const order = await buy(itemsOf(`once-${currency}`), currency)
    const { orderId } = order
    for (const payee of [undefined, ada]) {
      world.queue.push({
        name: 'orders.sweep',
        startAfterMs: 0,
        data: { orderId, ...(payee !== undefined && { recipient: payee }) },
      })
    }
    await world.drain()
    expect(await balanceOf(ada, currency)).toBe(price)
    expect(await ledgerOf(order)).toMatchObject({ differing: [], totals: [{ swept: price, held: 0n }] })
  })
})

describe('a recipient who cannot be paid', () => {
  test('behavior: coins that a contract refuses wait for it, and delay no other recipient', async () => {
    const refusing = await createPaid('refusing')
    await chain.client.setCode({ address: refusing, bytecode: '0xfe' })
    const ada = await createPaid('beside')
    const order = await buy(itemsOf('refusing', 'beside'))
    expect(await balanceOf(refusing, 'eth')).toBe(0n)
    expect(await balanceOf(ada, 'eth')).toBe(prices.eth)
    const { router } = getDeployments(chain.operator, true)
    const claimable = await chain.client.readContract({
      address: router.address,
      ...PaymentRouter,
      functionName: 'claimable',
      args: [refusing],
    })
    expect(claimable).toBe(prices.eth)
    expect(await ledgerOf(order)).toMatchObject({
      differing: [],
      refused: [{ id: `sweep:${order.orderId}:${refusing}`, units: prices.eth }],
      totals: [{ swept: prices.eth, claimable: prices.eth, held: 0n, difference: 0n }],
    })
  })

  /** Makes a token refuse every call about an address, as tokens with a blocklist do. */
  const blockIn = async (token: Address, address: Address) => {
    const bytecode = await chain.client.getCode({ address: token })
    const copy = newAddress()
    if (!bytecode) throw new Error('there is no token')
    await chain.client.setCode({ address: copy, bytecode })
    const code = concatHex([
      // For a call about the address: jumps to the refusal.
      '0x600435',
      '0x73',
      address,
      '0x14',
      '0x604257',
      // Any other call goes to the original code.
      '0x365f5f37',
      '0x5f5f365f',
      '0x73',
      copy,
      '0x5af4',
      '0x3d5f5f3e',
      '0x604657',
      '0x5b5f5ffd',
      '0x5b3d5ff3',
    ] as Hex[])
    await chain.client.setCode({ address: token, bytecode: code })
    return () => chain.client.setCode({ address: token, bytecode })
  }

  test('behavior: tokens that may not be sent to a recipient stay until they may, and delay no other', async () => {
    const blocked = await createPaid('blocked')
    const ada = await createPaid('allowed')
    const token = chain.chain.currencies.find(({ currency }) => currency === 'usdc')?.address ?? ''
    const allow = await blockIn(getAddress(token), blocked)
    const order = await buy(itemsOf('blocked', 'allowed'), 'usdc')
    expect(await balanceOf(ada, 'usdc')).toBe(prices.usdc)
    expect(await ledgerOf(order)).toMatchObject({
      differing: [],
      refused: [{ id: `sweep:${order.orderId}:${blocked}`, isRetried: true }],
      totals: [{ swept: prices.usdc, held: prices.usdc, difference: 0n }],
    })
    await allow()
    skippedMs += 60_000
    await world.drain()
    expect(await balanceOf(blocked, 'usdc')).toBe(prices.usdc)
    expect(await balanceOf(ada, 'usdc')).toBe(prices.usdc)
    expect(await ledgerOf(order)).toMatchObject({
      differing: [],
      refused: [],
      totals: [{ swept: 2n * prices.usdc, held: 0n, difference: 0n }],
    })
  })
})

describe('goods', () => {
  const deliveryOf = ({ phase, lineItems }: Order) => {
    expect(phase).toBe('completed')
    const { tokens = [] } = lineItems[0]?.delivery ?? {}
    const contract = getAddress(tokens[0]?.contractAddress ?? '')
    return { tokens, contract, tokenIds: tokens.map(({ tokenId = '' }) => BigInt(tokenId)) }
  }
  const readJson = (uri: string) => readStored(world.deps, uri)
  const templateKeyed = (contract: Address, key: Hex) =>
    chain.client.readContract({
      address: contract,
      ...Collection721,
      functionName: 'templates',
      args: [key],
    })

  test('default: tokens like their template, whose limit the chain enforces', async () => {
    await world.createCollection({ id: 'posters' })
    const templateId = await world.createTemplate({ collectionId: 'posters', name: 'Moon', supplyLimit: 3 })
    const order = await buy([{ collectionLocator: `kassa:posters:${templateId}`, callData: { quantity: 2 } }])
    const { contract, tokenIds } = deliveryOf(order)
    expect(tokenIds).toEqual([1n, 2n])
    for (const tokenId of tokenIds) {
      const read = { address: contract, ...Collection721, args: [tokenId] } as const
      expect(await chain.client.readContract({ ...read, functionName: 'ownerOf' })).toBe(recipient)
      const uri = await chain.client.readContract({ ...read, functionName: 'tokenURI' })
      expect(await readJson(uri)).toEqual({ name: 'Moon', description: 'About Moon', image: 'ipfs://Moon' })
    }
    expect(await templateKeyed(contract, toReference(templateId))).toEqual([3n, 2n])
  })

  test('behavior: three copies of one semi-fungible token', async () => {
    await world.createCollection({ id: 'prints', fungibility: 'semi-fungible' })
    const templateId = await world.createTemplate({ collectionId: 'prints', name: 'Sun', tokenId: 7n })
    const order = await buy([{ collectionLocator: `kassa:prints:${templateId}`, callData: { quantity: 3 } }])
    const { contract, tokens, tokenIds } = deliveryOf(order)
    expect(tokenIds).toEqual([7n, 7n, 7n])
    expect(tokens[2]?.locator).toBe(`base-sepolia:${contract}:7`)
    const read = { address: contract, ...Collection1155 } as const
    const args = [recipient, 7n] as const
    expect(await chain.client.readContract({ ...read, functionName: 'balanceOf', args })).toBe(3n)
    const uri = await chain.client.readContract({ ...read, functionName: 'uri', args: [7n] })
    expect(await readJson(uri)).toMatchObject({ name: 'Sun' })
  })

  test('behavior: a subscription of thirty days', async () => {
    await world.createCollection({ id: 'club', isSubscription: true, isTransferable: false })
    const order = await buy(itemsOf('club'))
    const { contract, tokenIds } = deliveryOf(order)
    const expiresAt = await chain.client.readContract({
      address: contract,
      ...Subscription721,
      functionName: 'expiresAt',
      args: [tokenIds[0] ?? 0n],
    })
    const paidAt = Date.parse(order.quote.quotedAt ?? '') / 1000
    const days = (Number(expiresAt) - paidAt) / (24 * 60 * 60)
    expect(days).toBeGreaterThanOrEqual(30 - 1 / 86_400)
    expect(days).toBeLessThan(30.1)
  })

  test('behavior: a hundred tokens in one line item', async () => {
    await world.createCollection({ id: 'many' })
    const order = await buy([{ collectionLocator: 'kassa:many', callData: { quantity: 100 } }], 'usdc')
    const { contract, tokenIds } = deliveryOf(order)
    const read = {
      address: contract,
      ...Collection721,
      functionName: 'balanceOf',
      args: [recipient],
    } as const
    expect(await chain.client.readContract(read)).toBe(100n)
    expect(new Set(tokenIds).size).toBe(100)
  })
})
