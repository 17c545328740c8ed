import type { Browser } from 'playwright'
import { afterAll, beforeAll } from 'vitest'
import { type Stack, startStack } from '../../../scripts/lib/stack.mjs'
import { openBrowser } from './browser.js'
import { freshDataDir } from './dataDir.js'
import { type OutsideBuyer, withOutsideBuyer } from './outsideBuyer.js'

/** A shop of one test file's own, for buyers whose wallets live outside the browser. */
export const useOutsideShop = (name: string) => {
  const dataDir = freshDataDir(name)
  let stack: Stack | undefined
  let browser: Browser | undefined
  beforeAll(async () => {
    ;[stack, browser] = await Promise.all([startStack({ dataDir }), openBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
  })
  const getStack = (): Stack => {
    if (!stack) throw new Error('the shop is not open')
    return stack
  }
  return {
    dataDir,
    getStack,
    /** Does something as a buyer; `name` names the pictures that stay if it fails. */
    shop: (buyer: string, work: (buyer: OutsideBuyer) => Promise<void>): Promise<void> => {
      if (!browser) throw new Error('there is no browser')
      return withOutsideBuyer(browser, { serviceUrl: getStack().serviceUrl, dataDir, name: buyer }, work)
    },
  }
}
