import { setTimeout as sleep } from 'node:timers/promises'
import { billFor } from './bill.js'
import type { World } from './openWorld.js'
import { openCheckout, pollBySecond } from './pages.js'

/** How long buyers look at the price, and then at their wallet. */
export const thinkingMs = 20_000
/** How long buyers look at the wallet's question. */
export const signingMs = 5_000

const paceSeconds = 2

const purchase = async (world: World) => {
  const sale = await world.sell()
  const [page, peerPage] = await Promise.all([world.openPage(), world.openPage()])
  const button = page.getByRole('button', { name: /^Pay / })
  await openCheckout(world, page, sale, signingMs)
  await button.waitFor()
  await pollBySecond(world, peerPage, sale)
  await sleep(thinkingMs)
  await button.click()
  await page.locator('[data-stage="completed"]').first().waitFor({ timeout: 60_000 })
  // The peer's last poll, and one of Kassa's if it were not to stop.
  await sleep(2_500)
  const nodeRequests = await page.evaluate(() => window.bench.countNode())
  await Promise.all([page.context().close(), peerPage.context().close()])
  const isOurs = ({ orderId }: { orderId: string }) => orderId === sale.orderId
  return {
    sale,
    nodeRequests,
    kassa: billFor(world.kassa.exchanges.filter(isOurs)),
    peer: billFor(world.peer.exchanges.filter(isOurs)),
  }
}

/** What one purchase cost, by Kassa and by its peer. */
export type Purchase = Awaited<ReturnType<typeof purchase>>

/** Has some buyers buy one each, a little apart, on a chain with a block every two seconds. */
export const measurePurchases = async (world: World, count: number): Promise<Purchase[]> => {
  const { client } = world.shop.world
  await client.setAutomine(false)
  await client.setIntervalMining({ interval: paceSeconds })
  const purchases = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await sleep(index * 700)
      return purchase(world)
    }),
  )
  await client.setIntervalMining({ interval: 0 })
  await client.setAutomine(true)
  return purchases
}
