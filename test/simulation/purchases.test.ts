import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getLedger } from '../../service/src/sale/ledger/getLedger.js'
import { createShop, type Shop } from '../helpers/createShop.js'
import { solanaOf } from '../helpers/createSolanaBuyer.js'
import { type Purchase, simulatePurchase } from './purchase.js'
import { createRandom } from './random.js'

const { SEED, PURCHASES = '200', BUYERS = '48' } = process.env
// A choice follows from the seed; when a block comes does not. So a seed that is replayed is replayed a few times.
const replays = 12
const seeds = SEED
  ? Array.from({ length: replays }, () => Number(SEED))
  : Array.from({ length: Number(PURCHASES) }, (_, index) => index + 1)

type Commitment = 'confirmed' | 'finalized'

/** How long a slot is on Solana. A message is valid for 150 of them. */
const slotMs = 80
const weatherMs = 300

/**
 * Injects faults on Solana until it is stopped: transactions are lost, slots are skipped, and blocks that have not
 * reached the commitment that the service counts are replaced, with their transactions or without them.
 */
const makeWeather = (shop: Shop, commitment: Commitment) => {
  const { cluster } = solanaOf(shop).node
  const random = createRandom(`weather ${commitment}`)
  const counts = { lost: 0, skipped: 0, replaced: 0 }
  const change = (): void => {
    // A leader is busy for a moment only, or the last buyers would never get through.
    cluster.loseTransactions(0)
    switch (random.choose({ calm: 5, loses: 2, skips: 2, forks: 2 })) {
      case 'loses':
        counts.lost += 1
        cluster.loseTransactions(2)
        break
      case 'skips':
        counts.skipped += 1
        cluster.skipSlot()
        break
      case 'forks': {
        const open = cluster.listBlocks(cluster.slotAt(commitment) + 1n, cluster.slotAt('processed')).length
        const depth = Math.min(open, random.between(1, 4))
        counts.replaced += depth
        cluster.fork(depth, random.chance(0.7))
      }
    }
  }
  const timer = setInterval(change, weatherMs)
  return {
    counts,
    end: (): void => {
      clearInterval(timer)
      cluster.loseTransactions(0)
    },
  }
}

/** A shop whose blocks come at once, or only every so often. It counts what has reached a commitment on Solana. */
const openShop = async (commitment: Commitment, blocksMs?: number) => {
  const shop = await createShop({ solana: { slotMs, commitment } })
  const weather = makeWeather(shop, commitment)
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
    weather,
    close: async () => {
      isOpen = false
      weather.end()
      await mining
      await shop.close()
    },
  }
}

let shops: Awaited<ReturnType<typeof openShop>>[] = []

beforeAll(async () => {
  shops = await Promise.all([openShop('confirmed'), openShop('finalized', 150)])
})

afterAll(async () => {
  await Promise.all(shops.map(({ close }) => close()))
})

const shopFor = (seed: number): Shop => {
  const opened = shops[seed % shops.length]
  if (!opened) throw new Error('no shop')
  return opened.shop
}

/** What the service has logged of its own failures. */
const readErrors = ({ service }: Shop): string[] =>
  service
    .logged()
    .split('\n')
    .filter((line) => /"level":[45]0/.test(line))
    .slice(-12)

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
          family: 'evm',
          payments: 0,
          requests: 0,
          pages: 0,
          wrongChoices: 0,
          faults: [`the simulation broke: ${error instanceof Error ? error.stack : error}`],
          trace: readErrors(shopFor(seed)),
        }),
      )
      done.push(purchase)
    }
  }
  await Promise.all(Array.from({ length: Number(BUYERS) }, buy))
  return done
}

/** Orders whose money the books and the chains tell differently. When everything has come to its end, there are none. */
const awaitBooks = async ({ service }: Shop): Promise<unknown> => {
  const endMs = Date.now() + 60_000
  for (;;) {
    // A block that is replaced while it is read refuses.
    const ledger = await getLedger(service.deps).catch(() => undefined)
    if (ledger && (ledger.differing.length === 0 || Date.now() > endMs)) return ledger.differing
    await sleep(200)
  }
}

/** What is still at the router: once everything is delivered, refunded and swept it is nothing. */
const awaitEmptyRouter = async ({ world, address: { rules } }: Shop): Promise<bigint> => {
  const address = rules.contracts?.router
  if (!address) throw new Error('the shop has no router')
  const endMs = Date.now() + 30_000
  for (;;) {
    const heldWei = await world.client.getBalance({ address })
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
        `${purchases.length} purchases, ${purchases.filter(({ family }) => family === 'solana').length} of them on Solana`,
        `${sum(purchases, ({ pages }) => pages)} pages`,
        `${sum(purchases, ({ requests }) => requests)} requests to the wallet`,
        `${sum(purchases, ({ payments }) => payments)} payments`,
        `${sum(purchases, ({ wrongChoices }) => wrongChoices)} wrong choices to pay again`,
      ].join(', '),
    )
    const failed = purchases.filter(({ faults }) => faults.length)
    expect(failed, failed.map(report).join('\n')).toEqual([])
    expect(purchases).toHaveLength(seeds.length)
    for (const { shop, weather } of shops) {
      console.info(`the weather on Solana: ${JSON.stringify(weather.counts)}`)
      weather.end()
      expect(await awaitEmptyRouter(shop)).toBe(0n)
      expect(await awaitBooks(shop)).toEqual([])
    }
  })
})
