import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDelivered } from '../../scripts/lib/delivered.mjs'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { type Stack, startStack } from '../../scripts/lib/stack.mjs'
import { listFaintTexts } from '../helpers/contrast.js'
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

/** Presses "Buy" and ends at the checkout. Looks at the button while the order is being made, under the mouse. */
const buyUnderTheMouse = async (page: Page): Promise<void> => {
  let goOn = (): void => {}
  const isRead = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route('**/editions/*', async (route) => {
    if (route.request().method() === 'POST') await isRead
    await route.continue()
  })
  await page.getByRole('button', { name: /^Buy for/ }).click()
  const opening = page.getByRole('button', { name: 'Opening checkout' })
  await opening.hover()
  expect(await listFaintTexts(opening)).toEqual([])
  goOn()
  await page.waitForURL(/\/checkout\//)
}

/** Expects amounts where amounts belong, and a pay button that can be read in every state. */
const expectReadable = async (page: Page): Promise<void> => {
  for (const part of ['total', 'item-price'])
    expect(await page.locator(`[data-kassa="${part}"]`).innerText(), part).toMatch(/\d/)
  const main = page.getByRole('main')
  expect(await listFaintTexts(main)).toEqual([])
  await shopper.payButton(page).hover()
  expect(await listFaintTexts(main), 'under the mouse').toEqual([])
  await shopper.payButton(page).focus()
  expect(await listFaintTexts(main), 'with the focus').toEqual([])
}

test.each(['light', 'dark'] as const)(
  'behavior: amounts are there and texts can be read, %s',
  (colorScheme) =>
    shop(`read-${colorScheme}`, async (page) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await shopper.openShop(page, stack.storefrontUrl)
      await shopper.chooseEdition(page, 'Dunes at Dusk')
      await buyUnderTheMouse(page)
      await shopper.connectDemoWallet(page)
      await expectReadable(page)
      await page.goto(`${page.url()}/panel`)
      await shopper.payButton(page).waitFor()
      await expectReadable(page)
      await shopper.pay(page)
      expect(await listFaintTexts(page.getByRole('main')), 'while the wallet asks').toEqual([])
    }),
)

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
