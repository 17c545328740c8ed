import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { type RunningService, startService, startStorefront } from '../../scripts/lib/stack.mjs'
import { openBrowser } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'
import { expectPaidOnce, readOrder } from './helpers/outcome.js'
import { type OutsideBuyer, openCheckout, withOutsideBuyer } from './helpers/outsideBuyer.js'

const dataDir = freshDataDir('price')
const quoteSeconds = 20

let running: RunningService
let storefront: Awaited<ReturnType<typeof startStorefront>>
let browser: Browser
/** Starts the service with a fixed rate: the edition costs 0.012 of it, paid in dollars. */
const start = async (dollarsPerEth: string, { isRestart = false, ttlSeconds = quoteSeconds } = {}) => {
  running = await startService({
    dataDir,
    isRestart,
    env: {
      KASSA_QUOTE_TTL_SECONDS: String(ttlSeconds),
      KASSA_RATES: JSON.stringify({ eth: dollarsPerEth }),
    },
  })
}
beforeAll(async () => {
  await start('3000')
  ;[storefront, browser] = await Promise.all([startStorefront(running, { dataDir }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await storefront?.stop()
  await running?.stop()
})

const shop = (name: string, work: (buyer: OutsideBuyer) => Promise<void>) =>
  withOutsideBuyer(browser, { serviceUrl: running.serviceUrl, dataDir, name }, work)

test('behavior: an unchanged price is renewed before it expires, without asking the buyer', () =>
  shop('renewed', async (buyer) => {
    const { page, wallet } = buyer
    const { orderId } = await openCheckout(buyer, running.storefrontUrl)
    const first = (await readOrder(running, orderId)).quote.expiresAt ?? ''
    await expect
      .poll(async () => (await readOrder(running, orderId)).quote.expiresAt, {
        timeout: (quoteSeconds + 20) * 1000,
        interval: 500,
      })
      .not.toBe(first)
    // In the page itself, because Next announces a new page with its own alert.
    expect(await page.getByRole('main').getByRole('alert').filter({ hasText: /./ }).count()).toBe(0)
    await shopper.payButton(page).click()
    await (await wallet.asks.next()).approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(running, { orderId, ...wallet })
  }))

test('error: pay.reverted, approved in the wallet after the price had run out', () =>
  shop('late', async (buyer) => {
    const { page, wallet } = buyer
    const { orderId } = await openCheckout(buyer, running.storefrontUrl)
    await shopper.payButton(page).click()
    const ask = await wallet.asks.next()
    const asked = (await readOrder(running, orderId)).quote.expiresAt ?? ''
    await page.waitForTimeout(Math.max(0, Date.parse(asked) - Date.now()) + 1_500)
    await ask.approve()
    await page.getByRole('alert').filter({ hasText: 'rejected the payment' }).waitFor()
    await shopper.payOrRenew(page)
    await (await wallet.asks.next()).approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(running, { orderId, ...wallet })
  }))

test('error: pay.price-changed, the buyer agrees to the new price before the wallet is asked', () =>
  shop('changed', async (buyer) => {
    const { page, wallet } = buyer
    // The page renews a price by itself only until it runs out, so the price outlasts the restart below.
    const ttlSeconds = 60
    await running.stop()
    await start('3000', { isRestart: true, ttlSeconds })
    const { orderId } = await openCheckout(buyer, running.storefrontUrl, { currency: 'usdc' })
    await page.getByRole('button', { name: /^Pay 36\b/ }).waitFor()
    await running.stop()
    await start('3500', { isRestart: true })
    const alert = page.getByRole('alert').filter({ hasText: 'price has changed' })
    await alert.waitFor({ timeout: (ttlSeconds + 20) * 1000 })
    expect(await alert.textContent()).toMatch(/36.*42/s)
    expect(await shopper.payButton(page).count()).toBe(0)
    expect(wallet.countAsked()).toBe(0)

    await page.getByRole('button', { name: /^Accept 42\b/ }).click()
    await page.getByRole('button', { name: /^Pay 42\b/ }).click()
    await (await wallet.asks.next()).approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(running, { orderId, ...wallet })
    expect((await readOrder(running, orderId)).payment.received?.amount).toBe('42')
    expect(wallet.countAsked()).toBe(1)
  }))
