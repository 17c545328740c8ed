import type { BrowserContext, Page } from 'playwright'

declare global {
  interface Window {
    announcements: string[]
  }
}

/** Runs in every page and records what a screen reader would announce. */
const listen = (): void => {
  const live = '[aria-live],[role=status],[role=alert],output'
  const said = new WeakMap<Element, string>()
  window.announcements = []
  const isLoud = (region: Element): boolean => region.getAttribute('aria-live') !== 'off'
  const read = (region: Element): void => {
    const text = region.textContent?.trim() ?? ''
    if (text === said.get(region)) return
    said.set(region, text)
    if (text) window.announcements.push(text)
  }
  /** A region that comes with its words is heard if it is an alert, and is silent if it is not. */
  const meet = (region: Element): void => {
    if (said.has(region)) return
    if (region.getAttribute('role') === 'alert') read(region)
    else said.set(region, region.textContent?.trim() ?? '')
  }
  const observer = new MutationObserver((changes) => {
    for (const region of document.querySelectorAll(live)) if (isLoud(region)) meet(region)
    const touched = changes.map(({ target }) => (target instanceof Element ? target : target.parentElement))
    for (const element of touched) {
      const region = element?.closest(live)
      if (region && isLoud(region)) read(region)
    }
  })
  observer.observe(document, { childList: true, characterData: true, subtree: true })
}

/** Makes every page of a browser record what a screen reader would announce. */
export const listenToAnnouncements = async (context: BrowserContext): Promise<void> => {
  await context.addInitScript(listen)
}

/** What was said since the last time this was asked. */
export const takeAnnouncements = (page: Page): Promise<string[]> =>
  page.evaluate(() => window.announcements.splice(0))
