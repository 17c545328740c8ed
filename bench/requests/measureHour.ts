import type { BrowserContext, Page } from 'playwright'
import { say } from '../../scripts/lib/steps.mjs'
import { type Bill, billFor } from './bill.js'
import type { Sale, World } from './openWorld.js'
import { openCheckout, pollBySecond } from './pages.js'

const stepMs = 1_000
const hourMs = 3_600_000
const quarterMs = hourMs / 4

const holdClock = (context: BrowserContext): Promise<void> => context.clock.install({ time: Date.now() })

const hide = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })

/** Moves the pages and the service through an hour, a second at a time, and lets every answer arrive in between. */
const spendHour = async ({ service }: World['shop'], pages: readonly Page[]): Promise<void> => {
  // Ahead of every page, which goes on until it hears of this.
  const startMs = Date.now() + 10 * stepMs
  await Promise.all(pages.map((page) => page.clock.pauseAt(startMs)))
  for (let nowMs = startMs; nowMs < startMs + hourMs; ) {
    if ((nowMs - startMs) % quarterMs === 0) say(`  ${(nowMs - startMs) / 60_000} of 60 minutes…`)
    nowMs += stepMs
    await service.advance(nowMs - service.deps.now())
    await Promise.all(pages.map((page) => page.clock.runFor(stepMs)))
    await Promise.all(pages.map((page) => page.evaluate(() => window.bench.settle())))
  }
}

/** What an open order cost in an hour, by how it was left. */
export type Hour = { left: string; bill: Bill; nodeRequests: number }

/** Leaves orders open for an hour, each in another way, and one to the peer. */
export const measureHour = async (world: World, completed: Sale): Promise<{ kassa: Hour[]; peer: Bill }> => {
  const ways = [
    { left: 'ready to pay, in view', sale: await world.sell() },
    { left: 'payer not named, in view', sale: await world.sell({ isPayerKnown: false }) },
    { left: 'ready to pay, page hidden', sale: await world.sell(), isHidden: true },
    { left: 'completed, in view', sale: completed },
  ]
  const opened = []
  for (const way of ways) {
    const page = await world.openPage(holdClock)
    await openCheckout(world, page, way.sale)
    await page.locator('[data-stage]:not([data-stage="loading"])').first().waitFor()
    if (way.isHidden) await hide(page)
    opened.push({ ...way, page })
  }
  const peerPage = await world.openPage(holdClock)
  await pollBySecond(world, peerPage, await world.sell())
  const [kassaFrom, peerFrom] = [world.kassa.exchanges.length, world.peer.exchanges.length]
  const pages = [...opened.map(({ page }) => page), peerPage]
  await spendHour(world.shop, pages)
  const ours = world.kassa.exchanges.slice(kassaFrom)
  const kassa = await Promise.all(
    opened.map(async ({ left, sale, page }) => ({
      left,
      bill: billFor(ours.filter(({ orderId }) => orderId === sale.orderId)),
      nodeRequests: await page.evaluate(() => window.bench.countNode()),
    })),
  )
  const peer = billFor(world.peer.exchanges.slice(peerFrom))
  await Promise.all(pages.map((page) => page.context().close()))
  return { kassa, peer }
}
