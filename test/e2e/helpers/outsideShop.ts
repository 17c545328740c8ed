import type { Browser } from 'playwright'
import { afterAll, beforeAll } from 'vitest'
import * as shopper from '../../../scripts/lib/shopper.mjs'
import { type Stack, startStack } from '../../../scripts/lib/stack.mjs'
import { openBrowser } from './browser.js'
import { freshDataDir } from './dataDir.js'
import { type OutsideBuyer, openCheckout, withOutsideBuyer } from './outsideBuyer.js'

type AskedBuyer = OutsideBuyer & {
  orderId: string
  url: string
  ask: Awaited<ReturnType<OutsideBuyer['wallet']['asks']['next']>>
}

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
  /** Does something as a buyer; `name` names the pictures that stay if it fails. */
  const shop = (buyer: string, work: (buyer: OutsideBuyer) => Promise<void>): Promise<void> => {
    if (!browser) throw new Error('there is no browser')
    return withOutsideBuyer(browser, { serviceUrl: getStack().serviceUrl, dataDir, name: buyer }, work)
  }
  return {
    dataDir,
    getStack,
    shop,
    /** Does something as a buyer whose wallet asks whether to pay an order. */
    shopUntilAsked: (name: string, work: (buyer: AskedBuyer) => Promise<void>): Promise<void> =>
      shop(name, async (buyer) => {
        const opened = await openCheckout(buyer, getStack().storefrontUrl)
        await shopper.payButton(buyer.page).click()
        await work({ ...buyer, ...opened, ask: await buyer.wallet.asks.next() })
      }),
  }
}
