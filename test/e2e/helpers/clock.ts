import type { Page } from 'playwright'

/** Puts a page's clock in the test's hands: also the service's word for the time, by which the page would set it. */
export const holdClock = async (page: Page): Promise<void> => {
  await page.clock.install()
  await page.route(/\/api\//, async (route) => {
    const response = await route.fetch()
    const { date: _, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
}
