import type { Page } from 'playwright'

const setVisibility = (page: Page, state: 'visible' | 'hidden'): Promise<void> =>
  page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now })
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => now === 'hidden' })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)

const setLifecycle = async (page: Page, state: 'frozen' | 'active'): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setWebLifecycleState', { state })
  await session.detach()
}

/** Sends a page to the background, as a phone does when another app comes to the front: hidden, then frozen. */
export const hidePage = async (page: Page): Promise<void> => {
  await setVisibility(page, 'hidden')
  await setLifecycle(page, 'frozen')
}

/** Brings a page back to the front. */
export const showPage = async (page: Page): Promise<void> => {
  await setLifecycle(page, 'active')
  await setVisibility(page, 'visible')
}
