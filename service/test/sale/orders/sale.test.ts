import { and, eq } from 'drizzle-orm'
import type { SaleRules } from 'kassa/engine'
import type { EditOrderBody, Order, SaleRulesChange } from 'kassa/schema'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Call } from '#base/call.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { allowListAddresses, collections, orders, saleCounts, wallets } from '#base/db/tables/index.js'
import { updateCollection } from '#goods/collections/updateCollection.js'
import { getOrCreateCustodialWallet } from '#identity/wallets/custodialWallet.js'
import { editOrder, refreshOrder } from '#sale/orders/requoteOrder.js'
import { createFakeChain, type FakeChain } from '../../helpers/createFakeChain.js'
import {
  createOrderWorld,
  type OrderWorld,
  payerAddress,
  recipientAddress,
} from '../../helpers/createOrderWorld.js'
import { databaseKinds } from '../../helpers/databaseKinds.js'

const price = 10n ** 16n
const other = '0x00000000000000000000000000000000000000cc'

describe.each(databaseKinds)('on $name', (kind) => {
  let nowMs: number
  let database: OpenDatabase
  let fake: FakeChain
  let world: OrderWorld

  beforeAll(async () => {
    database = await kind.open()
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    nowMs = 1_800_000_000_000
    fake = createFakeChain({ now: () => nowMs })
    world = await createOrderWorld({ db: database.db, chains: [fake.port], now: () => nowMs })
  })

  const at = (offsetMs: number) => new Date(nowMs + offsetMs).toISOString()
  const sell = (sale: SaleRules, more: object = {}) => world.createCollection({ id: 'tea', sale, ...more })
  const patch = (sale: SaleRulesChange | null) =>
    updateCollection(world.deps, world.serverCall, { collectionId: 'tea', body: { sale } })
  const create = async (body: Record<string, unknown> = {}, quantity = 1, call?: Call) => {
    const lineItems = { collectionLocator: 'kassa:tea', callData: { quantity } }
    return (await world.create({ lineItems, ...body }, call)).order
  }
  const refresh = (orderId: string) => refreshOrder(world.deps, world.secretCall(orderId), { orderId })
  const pay = (orderId: string, units = price, payer?: string) =>
    fake.pay({ orderId, currency: 'eth', units, ...(payer !== undefined && { payer }) })
  const settle = async () => {
    await world.look()
    await world.drain()
  }
  const buy = async (body: Record<string, unknown> = {}, quantity = 1, payer?: string) => {
    const { orderId } = await create(body, quantity)
    pay(orderId, price * BigInt(quantity), payer)
    await settle()
    return world.get(orderId)
  }
  const counts = async () => {
    const { key, allocatedCount: allocated, reservedCount: reserved } = saleCounts
    const rows = await database.db
      .select({ key, allocated, reserved })
      .from(saleCounts)
      .where(eq(saleCounts.projectId, world.projectId))
    return Object.fromEntries(rows.map((row) => [row.key, [row.allocated, row.reserved]]))
  }
  /** Payments of one moment are decided about in any order. */
  const statusesOf = (ended: Order[]) => ended.map(({ lineItems }) => lineItems[0]?.delivery.status).sort()
  const reasonOf = ({ lineItems }: Order) => lineItems[0]?.quote.unavailabilityReason?.code

  test('behavior: a line item tells its buyer the rules, but neither the codes nor the list', async () => {
    const rules = {
      startsAt: at(-60_000),
      endsAt: at(600_000),
      maxPerBuyer: { wallet: 2, email: 1 },
      promotionCodes: [
        { code: 'HALF', percent: '50' },
        { code: 'OLD', percent: '50', expiresAt: at(0) },
      ],
    }
    await sell({})
    await patch({
      ...rules,
      phases: [
        { name: 'Members', allowList: { addresses: [recipientAddress] } },
        { name: 'Everyone', startsAt: at(60_000) },
      ],
    })
    const told = {
      endsAt: at(600_000),
      phase: { name: 'Members', endsAt: at(60_000), isForAllowList: true },
      maxPerBuyer: { wallet: 2, email: 1 },
      hasPromotionCodes: true,
    }
    expect((await create()).lineItems[0]?.quote.sale).toEqual(told)
    // Also what cannot be bought yet, or has no price yet.
    const refused = await create({ recipient: { walletAddress: other } })
    expect(refused.lineItems[0]?.quote).toMatchObject({ status: 'item-unavailable', sale: told })
    expect((await create({ recipient: undefined })).lineItems[0]?.quote.sale).toEqual(told)
    await patch({ promotionCodes: [{ code: 'OLD', percent: '50', expiresAt: at(0) }], startsAt: at(30_000) })
    const { startsAt, hasPromotionCodes } = (await create()).lineItems[0]?.quote.sale ?? {}
    expect({ startsAt, hasPromotionCodes }).toEqual({ startsAt: at(30_000) })
  })

  describe('start and end', () => {
    test('default: an order waits for the start, and a refresh quotes it then', async () => {
      await sell({ startsAt: at(60_000), endsAt: at(120_000) })
      const { orderId, ...early } = await create()
      expect(early).toMatchObject({
        phase: 'quote',
        quote: { status: 'all-line-items-unavailable' },
        lineItems: [
          { quote: { unavailabilityReason: { code: 'sale-not-started', availableAt: at(60_000) } } },
        ],
      })
      nowMs += 60_000
      const open = await refresh(orderId)
      expect(open).toMatchObject({ phase: 'payment', quote: { status: 'valid', expiresAt: at(60_000) } })
      nowMs += 60_000
      expect(reasonOf(await refresh(orderId))).toBe('sale-ended')
    })

    test('behavior: a payment in time is delivered after the end, and a late one is refunded', async () => {
      await sell({ endsAt: at(60_000) })
      const [inTime, late] = [await create(), await create()]
      nowMs += 59_000
      pay(inTime.orderId)
      nowMs += 2_000
      pay(late.orderId)
      await settle()
      await settle()
      expect(await world.get(inTime.orderId)).toMatchObject({
        phase: 'completed',
        lineItems: [{ delivery: { status: 'completed' } }],
      })
      expect(await world.get(late.orderId)).toMatchObject({
        phase: 'quote',
        payment: { failureReason: { code: 'expired' } },
      })
    })

    test('behavior: a changed rule counts at the next quote, whatever is in memory', async () => {
      await sell({ endsAt: at(60_000) })
      const { orderId } = await create()
      // From the second read on, the collection is in memory.
      await refresh(orderId)
      await refresh(orderId)
      // Another process has changed it, and its notice has not arrived.
      const isTea = and(eq(collections.projectId, world.projectId), eq(collections.id, 'tea'))
      await database.db
        .update(collections)
        .set({ sale: { endsAt: at(0) } })
        .where(isTea)
      expect(reasonOf(await refresh(orderId))).toBe('sale-ended')
      await patch(null)
      expect((await refresh(orderId)).quote.status).toBe('valid')
    })
  })

  describe('phases', () => {
    /** Made by `@openzeppelin/merkle-tree` 1.0.8 of five addresses, that of the recipient among them. */
    const merkleRoot = '0x86093ecc830ed44f3cdcbf78361ad7f5ce861ff924487463ae24ef3561dd94e0'
    const allowListProof = [
      '0xe13b9a4e9cbf4a245cd1b1afe1884d4777756c89842860e23e0cb7384b4713e0',
      '0x6e12203caebdfa7290608724e8b7bf8a2cc8efe639a6b78ea80096d834023a34',
    ]
    const listIds = async () =>
      (await database.db.select().from(allowListAddresses)).map((row) => row.address).sort()

    beforeEach(async () => {
      await database.db.delete(allowListAddresses)
    })

    test('default: an allow-list of addresses, then everyone', async () => {
      await sell({})
      const addresses = [recipientAddress.toUpperCase().replace('0X', '0x'), recipientAddress]
      const answer = await patch({
        phases: [
          { name: 'Members', allowList: { addresses } },
          { name: 'Everyone', startsAt: at(60_000) },
        ],
      })
      expect(answer.sale?.phases).toEqual([
        { name: 'Members', allowList: { addressCount: 1, listId: expect.any(String) } },
        { name: 'Everyone', startsAt: at(60_000) },
      ])
      expect((await create()).quote).toMatchObject({ status: 'valid', expiresAt: at(60_000) })
      const stranger = await create({ recipient: { walletAddress: other } })
      expect(reasonOf(stranger)).toBe('not-in-phase')
      expect(reasonOf(await create({ recipient: { email: 'ada@example.com' } }))).toBe('not-in-phase')
      nowMs += 60_000
      expect((await refresh(stranger.orderId)).quote.status).toBe('valid')
    })

    test('behavior: new phases have lists of their own, and without phases there are none', async () => {
      await sell({})
      await patch({ phases: [{ name: 'One', allowList: { addresses: [recipientAddress] } }] })
      await patch({ maxPerBuyer: { wallet: 9 } })
      expect(await listIds()).toEqual([recipientAddress])
      await patch({ phases: [{ name: 'Two', allowList: { addresses: [other] } }] })
      expect(await listIds()).toEqual([other])
      expect(reasonOf(await create())).toBe('not-in-phase')
      await patch(null)
      expect(await listIds()).toEqual([])
      expect((await create()).quote.status).toBe('valid')
    })

    test('behavior: changed phases keep the lists that they name, whatever else changes', async () => {
      await sell({})
      const { sale } = await patch({
        phases: [{ name: 'One', allowList: { addresses: [recipientAddress] } }],
      })
      const allowList = { listId: sale?.phases?.[0]?.allowList?.listId }
      const kept = await patch({
        phases: [
          { name: 'Friends', allowList, maxTokens: 5 },
          { name: 'Others', startsAt: at(60_000), allowList: { addresses: [other] } },
        ],
      })
      expect(kept.sale?.phases?.[0]).toEqual({
        name: 'Friends',
        allowList: { ...allowList, addressCount: 1 },
        maxTokens: 5,
      })
      expect(await listIds()).toEqual([other, recipientAddress].sort())
      expect((await create()).quote.status).toBe('valid')
      expect(reasonOf(await create({ recipient: { walletAddress: other } }))).toBe('not-in-phase')
      await patch({ phases: [{ name: 'Friends', allowList }] })
      expect(await listIds()).toEqual([recipientAddress])
    })

    test('error: a list that no phase of the collection has', async () => {
      await sell({})
      const { sale } = await patch({ phases: [{ name: 'One', allowList: { addresses: [other] } }] })
      const allowList = { listId: sale?.phases?.[0]?.allowList?.listId }
      await patch({ phases: null })
      await expect(patch({ phases: [{ name: 'One', allowList }] })).rejects.toMatchObject({
        code: 'input-invalid',
        message: 'sale.phases[0].allowList.listId: no phase of this collection has it now',
      })
    })

    test('error: an allow-list that holds no address of the chain', async () => {
      await sell({})
      const addresses = [recipientAddress, '0x0000000000000000000000000000000000000000']
      await expect(patch({ phases: [{ name: 'One', allowList: { addresses } }] })).rejects.toMatchObject({
        code: 'input-invalid',
        message: 'sale.phases[0].allowList.addresses[1]: the zero address has no owner',
      })
    })

    test('behavior: a Merkle root; the proof is sent with the order or by an edit', async () => {
      await sell({ phases: [{ name: 'Members', allowList: { merkleRoot } }] })
      expect((await create({ allowListProof })).quote.status).toBe('valid')
      const { orderId, ...unproven } = await create()
      expect(reasonOf({ orderId, ...unproven })).toBe('not-in-phase')
      const edit = (body: EditOrderBody) =>
        editOrder(world.deps, world.secretCall(orderId), { orderId, body })
      expect((await edit({ allowListProof })).quote.status).toBe('valid')
      expect((await refresh(orderId)).quote.status).toBe('valid')
      // The proof is of one wallet.
      expect(reasonOf(await edit({ recipient: { walletAddress: other } }))).toBe('not-in-phase')
    })

    test('behavior: a phase never sells more than it has', async () => {
      await sell({ phases: [{ name: 'Early', maxTokens: 2 }] })
      const quoted = [await create(), await create(), await create()]
      for (const { orderId } of quoted) pay(orderId)
      await settle()
      const ended = await Promise.all(quoted.map(({ orderId }) => world.get(orderId)))
      expect(statusesOf(ended)).toEqual(['completed', 'completed', 'failed'])
      expect(await counts()).toEqual({ 'phase:Early': [2, 0] })
      expect(reasonOf(await create())).toBe('phase-sold-out')
    })
  })

  describe('the most for each buyer', () => {
    test('default: by wallet; what is held when paid is not sold to the same buyer again', async () => {
      await sell({ maxPerBuyer: { wallet: 2 } })
      const first = await create({}, 2)
      expect(first.lineItems[0]?.quote.allowance).toEqual({ max: 2, left: 2 })
      // A quote holds nothing.
      expect((await create({}, 2)).quote.status).toBe('valid')
      pay(first.orderId, 2n * price)
      await world.look()
      expect(await counts()).toEqual({ [`wallet:${recipientAddress}`]: [0, 2] })
      expect(reasonOf(await create())).toBe('limit-reached')
      await world.drain()
      expect(await counts()).toEqual({ [`wallet:${recipientAddress}`]: [2, 0] })
      expect(reasonOf(await create())).toBe('limit-reached')
      expect((await create({ recipient: { walletAddress: other } })).quote.status).toBe('valid')
    })

    test('behavior: of orders that were quoted together, those above the limit are refunded', async () => {
      await sell({ maxPerBuyer: { wallet: 2 } })
      const quoted = [await create(), await create(), await create()]
      for (const { orderId } of quoted) pay(orderId)
      await settle()
      const ended = await Promise.all(quoted.map(({ orderId }) => world.get(orderId)))
      expect(statusesOf(ended)).toEqual(['completed', 'completed', 'failed'])
      const refunded = ended.flatMap(({ payment }) => payment.refunded?.amount ?? [])
      expect(refunded).toEqual(['0.01'])
      expect(await counts()).toEqual({ [`wallet:${recipientAddress}`]: [2, 0] })
      expect(fake.sentOf('mint')).toHaveLength(2)
    })

    test('behavior: an e-mail address and the wallet behind it are one buyer', async () => {
      await sell({ maxPerBuyer: { wallet: 1 } })
      await buy({ recipient: { email: 'ada@example.com' } })
      const owner = { projectId: world.projectId, userLocator: 'email:ada@example.com' }
      const wallet = await getOrCreateCustodialWallet(world.deps, fake.port, owner)
      // The canonical form of addresses on the chain in memory.
      const address = wallet.address.toLowerCase()
      await database.db.update(wallets).set({ address }).where(eq(wallets.address, wallet.address))
      expect(reasonOf(await create({ recipient: { walletAddress: address } }))).toBe('limit-reached')
      expect(reasonOf(await create({ recipient: { email: 'ADA@example.com' } }))).toBe('limit-reached')
    })

    test('behavior: by e-mail address; an order without one asks for it', async () => {
      await sell({ maxPerBuyer: { email: 1 } })
      const { orderId, payment } = await create()
      expect(payment.status).toBe('requires-email')
      const named = { method: 'base-sepolia' as const, currency: 'eth', payerAddress }
      const body = { payment: { ...named, receiptEmail: 'Ada@example.com' } }
      const asked = await editOrder(world.deps, world.secretCall(orderId), { orderId, body })
      expect(asked.payment.status).toBe('awaiting-payment')
      pay(orderId)
      await settle()
      expect(await counts()).toEqual({ 'email:ada@example.com': [1, 0] })
      expect(reasonOf(await create({ recipient: { email: 'ada@example.com' } }))).toBe('limit-reached')
    })

    test('behavior: by payer; the account that paid counts, whichever one was named', async () => {
      await sell({ maxPerBuyer: { payer: 1 } })
      expect((await buy({}, 1, other)).phase).toBe('completed')
      expect(await counts()).toEqual({ [`payer:${other}`]: [1, 0] })
      const named = { method: 'base-sepolia' as const, currency: 'eth', payerAddress: other }
      expect(reasonOf(await create({ payment: named }))).toBe('limit-reached')
      const again = await buy({}, 1, other)
      expect(again.lineItems[0]?.delivery.status).toBe('failed')
      expect(again.payment.refunded?.amount).toBe('0.01')
    })

    test('behavior: what the chain refused to mint is given back to its buyer', async () => {
      await sell({ maxPerBuyer: { wallet: 1 } })
      fake.state.refusals.set('mint', 'Paused')
      const { orderId } = await create()
      pay(orderId)
      await world.look()
      for (let attempt = 0; attempt < 12; attempt++) {
        await world.drain()
        nowMs += 24 * 60 * 60_000
      }
      expect((await world.get(orderId)).lineItems[0]?.delivery.status).toBe('failed')
      expect(await counts()).toEqual({ [`wallet:${recipientAddress}`]: [0, 0] })
    })

    test('behavior: a payment that a reorganisation removes holds nothing', async () => {
      fake = createFakeChain({ now: () => nowMs, confirmations: 3 })
      world = await createOrderWorld({ db: database.db, chains: [fake.port], now: () => nowMs })
      await sell({ maxPerBuyer: { wallet: 1 } })
      const { orderId } = await create()
      pay(orderId)
      await world.look()
      expect(await counts()).toEqual({ [`wallet:${recipientAddress}`]: [0, 1] })
      fake.reorganise(1)
      fake.mine(3)
      await world.look()
      expect(await counts()).toEqual({ [`wallet:${recipientAddress}`]: [0, 0] })
    })
  })

  describe('promotion codes', () => {
    const half = { code: 'HALF', percent: '50' }
    const networkCall = (network: string): Call => ({
      actor: { kind: 'client-key', keyId: 'key', projectId: world.projectId, scopes: ['orders.create'] },
      client: { network },
      complete: async () => {},
    })

    test('default: sent with the order, in any case of letters', async () => {
      await sell({ promotionCodes: [half] })
      const order = await create({ promotionCode: 'half' }, 2)
      expect(order).toMatchObject({
        quote: { promotion: { code: 'half', status: 'applied' }, totalPrice: { amount: '0.01' } },
        lineItems: [
          {
            quote: {
              charges: { unit: { amount: '0.02' }, discount: { amount: '0.01', currency: 'eth' } },
              totalPrice: { amount: '0.01' },
            },
          },
        ],
      })
      pay(order.orderId)
      await settle()
      expect((await world.get(order.orderId)).phase).toBe('completed')
    })

    test('behavior: entered and removed by an edit', async () => {
      await sell({ promotionCodes: [half] })
      const { orderId } = await create()
      const edit = (promotionCode: string | null) =>
        editOrder(world.deps, world.secretCall(orderId), { orderId, body: { promotionCode } })
      expect((await edit('HALF')).quote.totalPrice?.amount).toBe('0.005')
      // A refresh and another edit keep it.
      expect((await refresh(orderId)).quote.totalPrice?.amount).toBe('0.005')
      const removed = await edit(null)
      expect(removed.quote.totalPrice?.amount).toBe('0.01')
      expect(removed.quote.promotion).toBeUndefined()
      expect(removed.lineItems[0]?.quote.charges?.discount).toBeUndefined()
    })

    test('behavior: a refresh after the code has expired says so, at the full price', async () => {
      await sell({ promotionCodes: [{ ...half, expiresAt: at(60_000) }] })
      const { orderId, quote } = await create({ promotionCode: 'HALF' })
      expect(quote.expiresAt).toBe(at(60_000))
      nowMs += 60_000
      const { quote: later } = await refresh(orderId)
      expect(later).toMatchObject({
        promotion: { code: 'HALF', status: 'expired' },
        totalPrice: { amount: '0.01' },
      })
    })

    test('behavior: a code is never used more often than its limit', async () => {
      await sell({ promotionCodes: [{ ...half, limit: 2 }] })
      const quoted = []
      for (let buyer = 0; buyer < 3; buyer++) quoted.push(await create({ promotionCode: 'HALF' }))
      for (const { orderId } of quoted) pay(orderId, price / 2n)
      await settle()
      const ended = await Promise.all(quoted.map(({ orderId }) => world.get(orderId)))
      expect(statusesOf(ended)).toEqual(['completed', 'completed', 'failed'])
      expect(await counts()).toEqual({ 'code:HALF': [2, 0] })
      await expect(create({ promotionCode: 'HALF' })).rejects.toMatchObject({
        code: 'input-invalid',
        message: 'promotionCode: this code has reached its usage limit',
      })
    })

    test('error: a wrong code is refused without repeating it, and creates no order', async () => {
      await sell({ promotionCodes: [{ ...half, expiresAt: at(0) }] })
      await expect(create({ promotionCode: 'WRONG' })).rejects.toMatchObject({
        code: 'input-invalid',
        message: 'promotionCode: this code is not valid for this order',
      })
      await expect(create({ promotionCode: 'HALF' })).rejects.toMatchObject({
        message: 'promotionCode: this code has expired',
      })
      const ofProject = eq(orders.projectId, world.projectId)
      expect(await database.db.select().from(orders).where(ofProject)).toEqual([])
      expect(world.logged.join()).not.toMatch(/WRONG|HALF/)
    })

    test('error: a network that guesses is stopped, right codes included, and others are not', async () => {
      await sell({ promotionCodes: [half] })
      const guess = (promotionCode: string, network: string) =>
        create({ promotionCode }, 1, networkCall(network))
      // Right codes do not count.
      for (let time = 0; time < 12; time++) await guess('HALF', '192.0.2.1')
      const tries = Array.from({ length: 12 }, (_, time) => guess(`WRONG-${time}`, '192.0.2.1'))
      const codes = (await Promise.allSettled(tries)).map((tried) =>
        tried.status === 'rejected' ? tried.reason.code : undefined,
      )
      expect(codes.filter((code) => code === 'input-invalid')).toHaveLength(10)
      expect(codes.filter((code) => code === 'rate-limited')).toHaveLength(2)
      await expect(guess('HALF', '192.0.2.1')).rejects.toMatchObject({
        code: 'rate-limited',
        retryAfterSeconds: 60,
      })
      expect((await guess('HALF', '192.0.2.2')).quote.status).toBe('valid')
      expect((await create({}, 1, networkCall('192.0.2.1'))).quote.status).toBe('valid')
      nowMs += 60_001
      expect((await guess('HALF', '192.0.2.1')).quote.status).toBe('valid')
    })
  })
})
