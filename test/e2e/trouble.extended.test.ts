import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDelivered } from '../../scripts/lib/delivered.mjs'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { type RunningService, startService, startStorefront } from '../../scripts/lib/stack.mjs'
import { hidePage, showPage } from './helpers/background.js'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'

const dataDir = freshDataDir('trouble')
const quoteSeconds = 20
const start = (isRestart = false) =>
  startService({ dataDir, isRestart, env: { KASSA_QUOTE_TTL_SECONDS: String(quoteSeconds) } })

let running: RunningService
let storefront: Awaited<ReturnType<typeof startStorefront>>
let browser: Browser
beforeAll(async () => {
  running = await start()
  ;[storefront, browser] = await Promise.all([startStorefront(running, { dataDir }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await storefront?.stop()
  await running?.stop()
})

const shop = (name: string, work: (page: Page) => Promise<void>) =>
  withBuyer(browser, { dataDir, name }, work)

const checkout = async (page: Page): Promise<void> => {
  await shopper.openShop(page, running.storefrontUrl)
  await shopper.chooseEdition(page, 'Dunes at Dusk')
  await shopper.buy(page, 'eth')
  await shopper.connectDemoWallet(page)
}

const payAndReceive = async (page: Page): Promise<void> => {
  await shopper.pay(page)
  await shopper.confirm(page)
  await shopper.waitForReceipt(page)
  expect(await readDelivered(running, shopper.orderIdOf(page))).toHaveLength(1)
}

test('behavior: a price that expired in the background is renewed on the page, then paid', () =>
  shop('expired', async (page) => {
    await checkout(page)
    await hidePage(page)
    await new Promise((resolve) => setTimeout(resolve, (quoteSeconds + 1) * 1000))
    await showPage(page)
    await page.getByRole('button', { name: 'Get a new price' }).click()
    await shopper.payButton(page).waitFor()
    await payAndReceive(page)
  }))

test('behavior: the page says that the service is unavailable, and continues once it is back', () =>
  shop('away', async (page) => {
    await checkout(page)
    running.service.signal('SIGKILL')
    await running.service.exited
    await running.stop()
    await shopper.payButton(page).click()
    await page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor()
    running = await start(true)
    await shopper.renewIfExpired(page)
    await payAndReceive(page)
  }))

test('behavior: a wallet that holds too little is told how much it lacks, and test funds are enough', () =>
  shop('short', async (page) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await shopper.openShop(page, running.storefrontUrl)
    await shopper.chooseEdition(page, 'Dunes at Dusk')
    await page.getByLabel('Quantity').fill('70')
    await shopper.buy(page, 'usdc')
    await page.getByRole('button', { name: /^Demo wallet/ }).click()
    const more = page.getByText('Your wallet needs 1,520.00\u00a0USDC more.')
    await more.waitFor()
    await page.getByRole('button', { name: 'Get test funds' }).click()
    await shopper.payOrRenew(page)
    await shopper.confirmation(page).waitFor()
    await shopper.confirm(page)
    await shopper.waitForReceipt(page)
  }))
