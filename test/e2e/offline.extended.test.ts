import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { type Stack, startStack } from '../../scripts/lib/stack.mjs'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'

const dataDir = freshDataDir('offline')
let stack: Stack
let browser: Browser
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ dataDir }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const options = { viewport: { width: 360, height: 740 } }
const shop = (name: string, work: (page: Page) => Promise<void>) =>
  withBuyer(browser, { dataDir, name, options }, work)

const alert = (page: Page, words: string) => page.getByRole('alert').filter({ hasText: words })

test('behavior: buying and paying without a connection keep the page, which goes on when it is back', () =>
  shop('offline', async (page) => {
    await shopper.openShop(page, stack.storefrontUrl)
    await shopper.chooseEdition(page, 'Dunes at Dusk')
    await page.getByRole('button', { name: 'One more' }).click()
    await page.context().setOffline(true)
    const buy = page.getByRole('button', { name: /^Buy for 0\.024/ })
    await buy.click()
    await alert(page, 'You are offline. Nothing was ordered').waitFor()
    await page.context().setOffline(false)
    await buy.click()
    await page.waitForURL(/\/checkout\//)
    await shopper.connectDemoWallet(page)

    await page.context().setOffline(true)
    await shopper.payButton(page).click()
    await alert(page, 'You are offline. Your order is safe').waitFor()
    await page.context().setOffline(false)
    await alert(page, 'You are offline').waitFor({ state: 'detached' })
    await shopper.pay(page)
    await shopper.confirm(page)
    await shopper.waitForReceipt(page)
  }))

test('error: a request to buy that is lost on the way keeps the page', () =>
  shop('lost', async (page) => {
    await shopper.openShop(page, stack.storefrontUrl)
    await shopper.chooseEdition(page, 'Dunes at Dusk')
    const isAction = (url: URL) => url.pathname.startsWith('/editions/')
    await page.route(isAction, (route) =>
      route.request().method() === 'POST' ? route.abort('connectionreset') : route.continue(),
    )
    const buy = page.getByRole('button', { name: /^Buy for/ })
    for (const _ of [1, 2]) {
      await buy.click()
      await alert(page, 'does not answer at the moment').waitFor()
    }
    await page.unroute(isAction)
    await buy.click()
    await page.waitForURL(/\/checkout\//)
    expect(await page.getByText('Something went wrong here').count()).toBe(0)
  }))
