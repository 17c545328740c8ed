import type { BrowserContext, Page } from 'playwright'
import { type Bill, billFor } from './bill.js'
import type { Sale, World } from './openWorld.js'
import { openCheckout, pollBySecond } from './pages.js'

const stepMs = 1_000
const hourMs = 3_600_000

const holdClock = (context: BrowserContext): Promise<void> => context.clock.install({ time: Date.now() })

const hide = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })

/** Moves the pages and the service through an hour, a second at a time, and lets every answer arrive in between. */
const spendHour = async ({ service }: World['shop'], pages: readonly Page[]): Promise<void> => {
  const startMs = Date.now() + stepMs
  await Promise.all(pages.map((page) => page.clock.pauseAt(startMs)))
  for (let nowMs = startMs; nowMs < startMs + hourMs; ) {
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
    { left: 'no wallet chosen, in view', sale: await world.sell({ isPayerKnown: false }) },
    { left: 'ready to pay, page hidden', sale: await world.sell(), isHidden: true },
    { left: 'completed, in view', sale: completed },
  ]
  const pages = await Promise.all(ways.map(() => world.openPage(holdClock)))
  const peerPage = await world.openPage(holdClock)
  const peerSale = await world.sell()
  const opened = ways.map((way, index) => ({ ...way, page: pages[index] ?? peerPage }))
  for (const { page, sale, isHidden } of opened) {
    await openCheckout(world, page, sale)
    await page.locator('[data-stage]:not([data-stage="loading"])').first().waitFor()
    if (isHidden) await hide(page)
  }
  await pollBySecond(world, peerPage, peerSale)
  const [kassaFrom, peerFrom] = [world.kassa.exchanges.length, world.peer.exchanges.length]
  await spendHour(world.shop, [...pages, peerPage])
  const nodeRequests = await Promise.all(pages.map((page) => page.evaluate(() => window.bench.countNode())))
  await Promise.all([...pages, peerPage].map((page) => page.context().close()))
  const ours = world.kassa.exchanges.slice(kassaFrom)
  return {
    kassa: opened.map(({ left, sale }, index) => ({
      left,
      bill: billFor(ours.filter(({ orderId }) => orderId === sale.orderId)),
      nodeRequests: nodeRequests[index] ?? 0,
    })),
    peer: billFor(world.peer.exchanges.slice(peerFrom)),
  }
}
