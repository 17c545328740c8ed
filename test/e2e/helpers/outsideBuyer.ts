import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright'
import * as shopper from '../../../scripts/lib/shopper.mjs'
import { announceWallet, walletName } from './announceWallet.js'
import { createOutsideWallet, type OutsideWallet } from './outsideWallet.js'

/** A buyer with a browser of their own and a wallet outside it. */
export type OutsideBuyer = {
  context: BrowserContext
  page: Page
  wallet: OutsideWallet
  /** Opens another tab on the order of the first. */
  openTab(): Promise<Page>
}

/** Goes from the shop to a checkout with the wallet connected, so that only pay is left to press. */
export const openCheckout = async (
  { page }: OutsideBuyer,
  storefrontUrl: string,
  { edition = 'Dunes at Dusk', currency = 'eth' }: { edition?: string; currency?: string } = {},
): Promise<{ orderId: string; url: string }> => {
  await shopper.openShop(page, storefrontUrl)
  await shopper.chooseEdition(page, edition)
  await shopper.buy(page, currency)
  await shopper.connectWallet(page, walletName)
  return { orderId: shopper.orderIdOf(page), url: page.url() }
}

/** Does something as a buyer with a wallet outside the browser. Pictures of the open tabs stay if it fails. */
export const withOutsideBuyer = async (
  browser: Browser,
  { serviceUrl, dataDir, name }: { serviceUrl: string; dataDir: string; name: string },
  work: (buyer: OutsideBuyer) => Promise<void>,
): Promise<void> => {
  const [context, wallet] = await Promise.all([browser.newContext(), createOutsideWallet({ serviceUrl })])
  const thrown: string[] = []
  context.on('weberror', (error) => thrown.push(error.error().message))
  await announceWallet(context, wallet)
  const page = await context.newPage()
  const openTab = async (): Promise<Page> => {
    const tab = await context.newPage()
    await tab.goto(page.url())
    return tab
  }
  try {
    await work({ context, page, wallet, openTab })
  } catch (error) {
    for (const [index, tab] of context.pages().entries())
      await tab
        .screenshot({ path: join(dataDir, `${name}-${index}.png`), fullPage: true, timeout: 5_000 })
        .catch(() => undefined)
    throw error
  } finally {
    await context.close()
  }
  if (thrown.length > 0) throw new Error(`a page threw: ${thrown.join('; ')}`)
}
