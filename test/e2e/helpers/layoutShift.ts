import type { BrowserContext, Page } from 'playwright'

type Shift = { value: number; moved: string[] }

/** Runs in every page: keeps what moves without the buyer's doing. */
const observe = (): void => {
  type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }
  const shifts: Shift[] = []
  Reflect.set(window, 'layoutShifts', shifts)
  const nameOf = (node: Node | null): string => {
    const element = node instanceof Element ? node : node?.parentElement
    return element
      ? `${element.tagName.toLowerCase()} “${element.textContent?.slice(0, 40)}”`
      : 'what is gone'
  }
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[])
      if (!hadRecentInput) shifts.push({ value, moved: sources.map(({ node }) => nameOf(node)) })
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Has every page of a browser keep what moves in it. */
export const observeLayoutShifts = async (context: BrowserContext): Promise<void> => {
  await context.addInitScript(observe)
}

/** What moved in a page since it was loaded, or since this was last asked: how much in all, and what. */
export const takeLayoutShifts = (page: Page): Promise<Shift> =>
  page.evaluate(() => {
    const shifts: Shift[] = (Reflect.get(window, 'layoutShifts') as Shift[]).splice(0)
    return {
      value: shifts.reduce((sum, { value }) => sum + value, 0),
      moved: shifts.flatMap(({ moved }) => moved),
    }
  })
