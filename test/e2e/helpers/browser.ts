import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright'
import { findBrowser } from '../../../scripts/browser.mjs'
import { limits } from '../../limits.js'

/** Opens a browser for one test file. Its pages wait as long as every test, and move nothing. */
export const openBrowser = async (): Promise<Browser> => {
  const browser = await chromium.launch(findBrowser())
  const open = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await open({ reducedMotion: 'reduce', ...options })
    context.setDefaultTimeout(limits.conditionMs)
    context.setDefaultNavigationTimeout(limits.conditionMs)
    return context
  }
  return browser
}

/** Adds what a page said to the error of its test, and leaves a picture of the page. */
export const explainFailure = async (error: unknown, page: Page, picture: string): Promise<Error> => {
  await page.screenshot({ path: picture, fullPage: true, timeout: 5_000 }).catch(() => undefined)
  const words = await page.locator('main').innerText({ timeout: 5_000 }).catch(String)
  return new Error(`${error instanceof Error ? error.stack : error}\nThe page said: ${words}`, {
    cause: error,
  })
}

/**
 * Does something as a buyer with no history. If it fails, its error has the page's words, and a picture of the page
 * stays in the data folder. An error that a page threw fails it too.
 */
export const withBuyer = async (
  browser: Browser,
  { dataDir, name, options }: { dataDir: string; name: string; options?: BrowserContextOptions },
  work: (page: Page) => Promise<void>,
): Promise<void> => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const thrown: string[] = []
  page.on('pageerror', (error) => thrown.push(error.message))
  try {
    await work(page)
  } catch (error) {
    throw await explainFailure(error, page, join(dataDir, `${name}.png`))
  } finally {
    await context.close()
  }
  if (thrown.length > 0) throw new Error(`the page threw: ${thrown.join('; ')}`)
}

/** Kills the process behind a page, as running out of memory does: nothing in it gets to say goodbye. */
export const crash = async (page: Page): Promise<void> => {
  const crashed = page.waitForEvent('crash')
  const session = await page.context().newCDPSession(page)
  // The page that would answer is gone.
  void session.send('Page.crash').catch(() => undefined)
  await crashed
}
