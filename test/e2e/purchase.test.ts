import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDelivered } from '../../scripts/lib/delivered.mjs'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { type Stack, startStack } from '../../scripts/lib/stack.mjs'
import { fundWithoutCoins, requireNoCoins } from '../../scripts/lib/withoutCoins.mjs'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'

const dataDir = freshDataDir('purchase')
let stack: Stack
let browser: Browser
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ dataDir }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const shop = (name: string, work: (page: Page) => Promise<void>) =>
  withBuyer(browser, { dataDir, name }, work)

const checkout = async (page: Page, edition: string, currency: string): Promise<void> => {
  await shopper.openShop(page, stack.storefrontUrl)
  await shopper.chooseEdition(page, edition)
  await shopper.buy(page, currency)
}

const expectDelivered = async (page: Page): Promise<void> => {
  await shopper.waitForReceipt(page)
  // Throws unless the chain names the recipient as the owner.
  expect(await readDelivered(stack, shopper.orderIdOf(page))).toHaveLength(1)
}

test.each([
  ['Dunes at Dusk', 'eth'],
  ['Dunes at Dusk', 'usdc'],
  ['Coral Lattice', 'pol'],
  ['Quiet Orbit', 'usdc'],
])('parameters: %s, paid in %s', (edition, currency) =>
  shop(`${edition}-${currency}`, async (page) => {
    await checkout(page, edition, currency)
    await shopper.connectDemoWallet(page)
    await shopper.pay(page)
    await shopper.confirm(page)
    await expectDelivered(page)
  }),
)

test('behavior: a buyer without coins pays by a signature, and no network fee', () =>
  shop('gasless', async (page) => {
    const wallet = await fundWithoutCoins(page, stack.serviceUrl)
    await checkout(page, 'Dunes at Dusk', 'usdc')
    await shopper.connectDemoWallet(page)
    await page.getByText('No network fee').first().waitFor()
    await shopper.pay(page)
    await shopper.confirm(page)
    await expectDelivered(page)
    const payer = wallet.payer()
    expect(payer).toBeDefined()
    if (payer) await requireNoCoins(stack.serviceUrl, payer)
  }))

test('behavior: a reload in any phase goes on where it was', () =>
  shop('reload', async (page) => {
    await checkout(page, 'Dunes at Dusk', 'eth')
    await page.reload()
    await shopper.connectDemoWallet(page)
    await page.reload()
    await shopper.pay(page)
    await page.reload()
    // The wallet was asked and its outcome is unknown, so only the buyer may have it asked again.
    await page.getByRole('button', { name: /pay again/ }).click()
    await shopper.confirm(page)
    await page.reload()
    await expectDelivered(page)
    await page.reload()
    await expectDelivered(page)
  }))

test('behavior: declined in the wallet, then paid', () =>
  shop('declined', async (page) => {
    await checkout(page, 'Dunes at Dusk', 'usdc')
    await shopper.connectDemoWallet(page)
    await shopper.pay(page)
    await shopper.decline(page)
    await page.getByRole('alert').filter({ hasText: 'declined' }).waitFor()
    await shopper.pay(page)
    await shopper.confirm(page)
    await expectDelivered(page)
  }))

test('behavior: the order of one browser is closed to another', async () => {
  let url = ''
  await shop('own-order', async (page) => {
    await checkout(page, 'Dunes at Dusk', 'eth')
    url = page.url()
  })
  await shop('foreign-order', async (page) => {
    await page.goto(url)
    await page.getByRole('heading', { name: 'This checkout was opened in another browser' }).waitFor()
  })
})

test('behavior: no page of the checkout tells the server key', () =>
  shop('secrets', async (page) => {
    const bodies: string[] = []
    page.on('response', async (response) => {
      if (response.url().startsWith(stack.storefrontUrl)) bodies.push(await response.text().catch(() => ''))
    })
    await checkout(page, 'Dunes at Dusk', 'eth')
    await shopper.connectDemoWallet(page)
    expect(bodies.join('').length).toBeGreaterThan(1000)
    expect(bodies.filter((body) => body.includes(stack.sandbox.serverKey))).toEqual([])
  }))
