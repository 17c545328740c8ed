import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
import type { Order } from 'kassa/schema'
import { expect } from 'vitest'
import type { AuthorizationPort } from '#base/ports/authorizations.js'
import type { ChainPort } from '#base/ports/chain.js'
import { type createX402World, printUnits } from './createX402World.js'

type World = Awaited<ReturnType<typeof createX402World>>

/** Where a process ends: before and after each step of a settlement, and between the broadcast and the answer. */
const points = ['never', 'before-simulation', 'after-simulation', 'signing', 'sent', 'settled'] as const
type Point = (typeof points)[number]

/** A port whose process ends at a point, once. */
const createDying = (port: AuthorizationPort, chain: ChainPort) => {
  const state = { point: 'never' as Point }
  const reach = (point: Point): void => {
    if (state.point !== point) return
    state.point = 'never'
    throw new Error(`killed: ${point}`)
  }
  const authorizations: AuthorizationPort = {
    ...port,
    simulate: async (write) => {
      reach('before-simulation')
      const simulated = await port.simulate(write)
      reach('after-simulation')
      return simulated
    },
    settle: async (key, write, options) => {
      const result = await port.settle(key, write, {
        ...options,
        assertDue: async (tx) => {
          await options?.assertDue?.(tx)
          reach('signing')
        },
        onSent: () => reach('sent'),
      })
      reach('settled')
      return result
    },
  }
  return { state, chain: { ...chain, authorizations } }
}

/** Numbers that look random and are the same in every run. */
const createRandom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
}

/** Brings a payment until it is answered, as clients do that have lost the answer. */
const bringUntilPaid = async (url: string, payload: unknown, together: number): Promise<Order> => {
  const header = Buffer.from(JSON.stringify(payload)).toString('base64')
  const bring = () => fetch(url, { headers: { 'PAYMENT-SIGNATURE': header } })
  for (let attempt = 0; attempt < 20; attempt++) {
    const answers = await Promise.all(Array.from({ length: together }, bring))
    const paid = answers.find(({ status }) => status === 200)
    if (paid) return (await paid.json()) as Order
    for (const { status } of answers) expect([500, 504]).toContain(status)
  }
  throw new Error('the payment was never answered')
}

/**
 * Buys tokens while the process ends at some point of each purchase. Asserts that none is paid twice, none is lost, and the
 * books end at zero.
 */
export const killPurchases = async (world: World, count: number, seed = 1): Promise<void> => {
  const random = createRandom(seed)
  const { authorizations } = world.port
  if (!authorizations) throw new Error('the chain takes no authorizations')
  const dying = createDying(authorizations, world.port)
  const { chains } = world.deps
  world.deps.chains = { ...chains, get: (name) => (name === 'base-sepolia' ? dying.chain : chains.get(name)) }
  const treasury = await world.balanceOf('usdc', world.operator)
  const reached: Record<string, number> = {}
  for (let at = 0; at < count; at++) {
    const buyer = await world.createBuyer(2n * printUnits)
    const url = random(2) === 0 ? world.collectionUrl() : (await world.createOrder(buyer.address)).x402Url
    const response = await fetch(url)
    const required: unknown = JSON.parse(
      Buffer.from(response.headers.get('PAYMENT-REQUIRED') ?? '', 'base64').toString('utf8'),
    )
    const client = new x402Client().register('eip155:84532', new ExactEvmScheme(buyer))
    const signed = await client.createPaymentPayload(required as never)
    const info = { required: false, id: `purchase_${seed}_${String(at).padStart(8, '0')}` }
    const hasIdentifier = random(2) === 0
    const payload = hasIdentifier ? { ...signed, extensions: { 'payment-identifier': { info } } } : signed
    const point = points[random(points.length)] ?? 'never'
    dying.state.point = point
    const { orderId } = await bringUntilPaid(url, payload, 1 + random(3))
    const order = await world.waitFor(orderId, 'completed')
    expect(order.payment.transactions, point).toHaveLength(1)
    expect(await world.balanceOf('usdc', buyer.address), point).toBe(printUnits)
    expect(await world.client.getBalance({ address: buyer.address })).toBe(0n)
    reached[point] = (reached[point] ?? 0) + (dying.state.point === 'never' ? 1 : 0)
    dying.state.point = 'never'
  }
  world.deps.chains = chains
  // Each point was reached, or the test would prove nothing of it.
  for (const point of points) expect(reached[point] ?? 0, point).toBeGreaterThan(0)
  const paid = BigInt(count) * printUnits
  await expect.poll(() => world.balanceOf('usdc', world.operator)).toBe(treasury + paid)
  expect(await world.differing()).toEqual([])
}
