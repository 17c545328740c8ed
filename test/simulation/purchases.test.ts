import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createShop, type Shop } from '../helpers/createShop.js'
import { type Purchase, simulatePurchase } from './purchase.js'

const { SEED, PURCHASES = '200', BUYERS = '48' } = process.env
// A choice follows from the seed; when a block comes does not. So a seed that is replayed is replayed a few times.
const replays = 12
const seeds = SEED
  ? Array.from({ length: replays }, () => Number(SEED))
  : Array.from({ length: Number(PURCHASES) }, (_, index) => index + 1)

/** A shop whose blocks come at once, or only every so often. */
const openShop = async (blocksMs?: number) => {
  const shop = await createShop()
  let isOpen = true
  const mine = async (): Promise<void> => {
    while (isOpen && blocksMs !== undefined) {
      await sleep(blocksMs)
      await shop.world.client.mine({ blocks: 1 })
    }
  }
  if (blocksMs !== undefined) await shop.world.client.setAutomine(false)
  const mining = mine()
  return {
    shop,
    close: async () => {
      isOpen = false
      await mining
      await shop.close()
    },
  }
}

let shops: Awaited<ReturnType<typeof openShop>>[] = []

beforeAll(async () => {
  shops = await Promise.all([openShop(), openShop(150)])
})

afterAll(async () => {
  await Promise.all(shops.map(({ close }) => close()))
})

const shopFor = (seed: number): Shop => {
  const opened = shops[seed % shops.length]
  if (!opened) throw new Error('no shop')
  return opened.shop
}

const report = ({ seed, faults, trace }: Purchase): string =>
  [
    `seed ${seed}: ${faults.join('; ')}`,
    ...trace.map((entry) => `  ${entry}`),
    `replay it alone: SEED=${seed} npx vitest run --project simulation`,
  ].join('\n')

const buyAll = async (): Promise<Purchase[]> => {
  const left = [...seeds]
  const done: Purchase[] = []
  const buy = async (): Promise<void> => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const purchase = await simulatePurchase(seed, shopFor(seed)).catch(
        (error): Purchase => ({
          seed,
          payments: 0,
          requests: 0,
          pages: 0,
          wrongChoices: 0,
          faults: [`the simulation broke: ${error instanceof Error ? error.stack : error}`],
          trace: [],
        }),
      )
      if (purchase.faults.length) console.error(report(purchase))
      done.push(purchase)
    }
  }
  await Promise.all(Array.from({ length: Number(BUYERS) }, buy))
  return done
}

/** What is still at the router: once everything is delivered, refunded and swept it is nothing. */
const awaitEmptyRouter = async ({ client }: Shop['world'], address: Address): Promise<bigint> => {
  const endMs = Date.now() + 30_000
  for (;;) {
    const heldWei = await client.getBalance({ address })
    if (heldWei === 0n || Date.now() > endMs) return heldWei
    await sleep(100)
  }
}

const sum = (purchases: readonly Purchase[], read: (purchase: Purchase) => number): number =>
  purchases.reduce((total, purchase) => total + read(purchase), 0)

describe('a simulated buyer', () => {
  test('behavior: no buyer pays twice unless they choose to, and no paid order is lost', async () => {
    const purchases = await buyAll()
    console.info(
      [
        `${purchases.length} purchases`,
        `${sum(purchases, ({ pages }) => pages)} pages`,
        `${sum(purchases, ({ requests }) => requests)} requests to the wallet`,
        `${sum(purchases, ({ payments }) => payments)} payments`,
        `${sum(purchases, ({ wrongChoices }) => wrongChoices)} wrong choices to pay again`,
      ].join(', '),
    )
    expect(
      purchases.filter(({ faults }) => faults.length).map(({ seed, faults }) => ({ seed, faults })),
    ).toEqual([])
    expect(purchases).toHaveLength(seeds.length)
    for (const { shop } of shops) {
      const paid = purchases.find(({ seed, router }) => router && shopFor(seed) === shop)
      if (paid?.router) expect(await awaitEmptyRouter(shop.world, paid.router)).toBe(0n)
    }
  })
})
