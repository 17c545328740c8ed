import type { Page } from 'playwright'

/** Puts a page's clock in the test's hands: also the service's word for the time, by which the page would set it. */
export const holdClock = async (page: Page): Promise<void> => {
  await page.clock.install()
  await page.route(/\/api\//, async (route) => {
    // A stream has no end to wait for, and the page does not read the time from it.
    if (route.request().headers().accept === 'text/event-stream') return route.continue()
    const response = await route.fetch()
    const { date: _, ...headers } = response.headers()
    return route.fulfill({ response, headers })
  })
}
