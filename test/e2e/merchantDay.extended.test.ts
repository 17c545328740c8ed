import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inviteToConsole } from '../../scripts/lib/inviteToConsole.mjs'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { type Stack, startStack } from '../../scripts/lib/stack.mjs'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'
import { takePictures } from './helpers/takePictures.js'

const dataDir = freshDataDir('merchant-day')
let stack: Stack
let browser: Browser
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ dataDir }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const openConsole = (page: Page, path: string) => page.goto(`${stack.serviceUrl}/console${path}`)

const says = (page: Page, words: RegExp | string) =>
  page.getByRole('main').getByText(words).filter({ visible: true }).first().waitFor()

/** What the overview says of today's sales. */
const readSales = async (page: Page): Promise<string> => {
  await openConsole(page, '')
  await says(page, 'Net')
  return (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ')
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="3"/></svg>'

/** Makes a collection with a picture and a limit. Returns its id. */
const createCollection = async (page: Page): Promise<string> => {
  const dialog = page.getByRole('dialog')
  await openConsole(page, '/collections')
  await page.getByRole('button', { name: 'Create a collection' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Morning Tide')
  const buffer = Buffer.from(svg)
  await dialog.getByLabel('Or a file').setInputFiles({ name: 'tide.svg', mimeType: 'image/svg+xml', buffer })
  await dialog.getByRole('combobox', { name: 'Chain' }).selectOption('Base Sepolia')
  await dialog.getByRole('textbox', { name: 'Price' }).fill('0.04')
  await dialog.getByRole('textbox', { name: 'Supply limit' }).fill('1,000 pieces')
  await dialog.getByRole('button', { name: 'Create a collection' }).click()
  // Nothing was sent, and what was typed is there.
  await dialog.getByText(/^Enter a whole number/).waitFor()
  expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Morning Tide')
  await dialog.getByRole('textbox', { name: 'Supply limit' }).fill('1,000')
  await dialog.getByRole('button', { name: 'Create a collection' }).click()
  await page.getByRole('heading', { name: 'Morning Tide' }).waitFor()
  await says(page, '0 of 1,000 minted')
  return page.url().split('/').at(-1) ?? ''
}

/** Gives the collection a limit by wallet, two phases and a code. */
const setRules = async (page: Page): Promise<void> => {
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Edit the rules' }).click()
  await dialog.getByRole('textbox', { name: 'Per wallet' }).fill('1')
  await dialog.getByRole('button', { name: 'Add a phase' }).click()
  await dialog
    .getByRole('group', { name: 'Phase 1' })
    .getByRole('textbox', { name: 'Name', exact: true })
    .fill('Opening')
  await dialog.getByRole('button', { name: 'Add a code' }).click()
  const code = dialog.getByRole('group', { name: 'Code 1' })
  await code.getByRole('textbox', { name: 'Code' }).fill('TIDE')
  await code.getByRole('textbox', { name: 'Discount' }).fill('25')
  await dialog.getByRole('button', { name: 'Save the rules' }).click()
  await says(page, '1 per wallet')
  await says(page, 'TIDE')
}

/** Buys one in the shop with the code. Returns the order's id. */
const purchase = (collectionId: string): Promise<string> => {
  let orderId = ''
  const work = async (page: Page): Promise<void> => {
    await page.goto(`${stack.storefrontUrl}/editions/${collectionId}`)
    await says(page, /^At most 1 per wallet/)
    await takePictures(page, 'edition')
    await shopper.buy(page)
    orderId = shopper.orderIdOf(page)
    await shopper.connectDemoWallet(page)
    await says(page, 'At most 1 per wallet. Left for you: 1.')
    await page.getByRole('textbox', { name: /^Promotion code/ }).fill('tide')
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('button', { name: /^Pay 0\.03\b/ }).waitFor()
    await takePictures(page, 'checkout')
    await shopper.pay(page)
    await shopper.confirm(page)
    await shopper.waitForReceipt(page)
    // The same wallet gets no second one.
    await page.goto(`${stack.storefrontUrl}/editions/${collectionId}`)
    await shopper.buy(page)
    await says(page, /At most 1 per wallet/)
    await expect.poll(() => shopper.payButton(page).count()).toBe(0)
    await takePictures(page, 'second')
  }
  return withBuyer(browser, { dataDir, name: 'buyer' }, work).then(() => orderId)
}

test('default: a collection with a picture, a limit, a phase and a code, a purchase within them, its refund', () =>
  withBuyer(browser, { dataDir, name: 'merchant' }, async (page) => {
    await page.goto(await inviteToConsole(dataDir))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const collectionId = await createCollection(page)
    await setRules(page)
    await takePictures(page, 'collection')

    const orderId = await purchase(collectionId)

    expect(await readSales(page)).toMatch(/Net 0\.03 ETH 1 order Gross 0\.03 ETH Refunded 0 ETH/)
    await takePictures(page, 'overview-sold')
    await openConsole(page, `/orders/${orderId}`)
    await says(page, 'Order created')
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Refund 0.03 ETH' }).click()
    await page.getByText('0.03 ETH is on its way to the buyer.').waitFor()
    await expect.poll(() => readSales(page)).toMatch(/Net 0 ETH .*Gross 0\.03 ETH Refunded 0\.03 ETH/)
    await takePictures(page, 'overview-refunded')
    // The edition says how many are left of it.
    await openConsole(page, `/collections/${collectionId}`)
    await says(page, '1 of 1,000 minted')
  }))
