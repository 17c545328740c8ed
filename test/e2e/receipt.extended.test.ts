import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { type Stack, startStack } from '../../scripts/lib/stack.mjs'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'
import { expectNoSidewaysScroll } from './helpers/looks.js'

const dataDir = freshDataDir('receipt')
let stack: Stack
let browser: Browser
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ dataDir }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const purchase = async (page: Page, edition: string, currency: string): Promise<void> => {
  await shopper.openShop(page, stack.storefrontUrl)
  await shopper.chooseEdition(page, edition)
  await shopper.buy(page, currency)
  await shopper.connectDemoWallet(page)
  await shopper.pay(page)
  await shopper.confirm(page)
  await shopper.waitForReceipt(page)
}

const receiptOf = (page: Page) => page.getByRole('region', { name: 'Receipt' })

test('default: it says what was bought and paid, and the explorer shows both transactions', () =>
  withBuyer(browser, { dataDir, name: 'default' }, async (page) => {
    await purchase(page, 'Dunes at Dusk', 'usdc')
    const receipt = receiptOf(page)
    await receipt.getByText('Network fee').waitFor()
    const text = await receipt.innerText()
    for (const fact of [
      'Recto',
      'Date',
      shopper.orderIdOf(page),
      'Dunes at Dusk',
      '36.00 USDC on Base Sepolia',
      stack.storefrontUrl,
    ])
      expect(text).toContain(fact.replaceAll(' USDC', '\u00a0USDC'))
    expect(text).toMatch(/No\. \d+\s+Contract · Base Sepolia 0x[\da-fA-F]{40}/)
    const links = await page.getByRole('link', { name: /opens the block explorer/ }).all()
    expect(links).toHaveLength(2)
    const pages = await Promise.all(
      links.map(async (link) => (await page.request.get((await link.getAttribute('href')) ?? '')).text()),
    )
    for (const shown of pages) expect(shown).toContain('Succeeded')
    expect(pages.join()).toContain('36 USDC')
    expect(pages.join()).toMatch(/NFT \d+ of 0x/)
  }))

/** Counts the pages that a browser prints. */
const countPages = async (page: Page, format: string): Promise<number> =>
  (await page.pdf({ format })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0

test('behavior: all editions fit on one printed page and on a phone, with what they were worth', () =>
  withBuyer(browser, { dataDir, name: 'series' }, async (page) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await shopper.openShop(page, stack.storefrontUrl)
    await page.getByRole('button', { name: 'Get the whole series' }).click()
    await page.waitForURL(/\/checkout\//)
    await page
      .getByRole('radio', { name: /^eth\b/i })
      .first()
      .check()
    await shopper.connectDemoWallet(page)
    await shopper.pay(page)
    await shopper.confirm(page)
    await shopper.waitForReceipt(page)
    const receipt = receiptOf(page)
    await receipt.getByText('Network fee').waitFor()
    await receipt.getByText(/^≈\s\$\d/).waitFor()
    expect(await receipt.getByText(/^Contract · .+ 0x/).count()).toBeGreaterThan(1)
    await expectNoSidewaysScroll(page)
    expect(await countPages(page, 'A4')).toBe(1)
    expect(await countPages(page, 'Letter')).toBe(1)
  }))

test('behavior: the link in its mail opens the order in another browser, and no other link does', () =>
  withBuyer(browser, { dataDir, name: 'mail' }, async (page) => {
    await purchase(page, 'Dunes at Dusk', 'eth')
    const address = page.url()
    await page.getByLabel('Mail it to me').fill('ada@example.com')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Sent to').waitFor()

    await withBuyer(browser, { dataDir, name: 'elsewhere' }, async (other) => {
      const asked: string[] = []
      other.on('request', (request) => asked.push(request.url()))
      await other.goto(address)
      await other.getByRole('heading', { name: 'This checkout was opened in another browser' }).waitFor()
      await other.goto(`${address}#open=forged`)
      await other.reload()
      await other.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
      await other.goto(`${stack.storefrontUrl}/sandbox/mails`)
      await other.getByText('Your receipt from Recto').first().click()
      const mail = other.frameLocator('iframe').locator('main')
      await mail.waitFor()
      const said = await mail.innerText()
      for (const fact of [
        'Date',
        /Dunes at Dusk, No\. \d+/,
        /Network fee\s+0\.\d+\sETH/,
        /Delivered to\s+0x/,
      ])
        expect(said).toMatch(fact)
      const link = other.frameLocator('iframe').getByRole('link', { name: 'Open your order' })
      const href = (await link.getAttribute('href')) ?? ''
      asked.length = 0
      await other.goto(href)
      await shopper.waitForReceipt(other)
      expect(other.url()).toBe(address)
      const token = new URL(href).hash.replace('#open=', '')
      expect(token.length).toBeGreaterThan(100)
      expect(asked.filter((url) => new URL(url).search.includes(token))).toEqual([])
      await other.reload()
      await shopper.waitForReceipt(other)
    })
  }))

test('behavior: the wallet page shows what the connected wallet holds, without a sign-in', () =>
  withBuyer(browser, { dataDir, name: 'wallet' }, async (page) => {
    await purchase(page, 'Dunes at Dusk', 'eth')
    await page.getByRole('link', { name: 'See it in your wallet' }).click()
    const held = page.getByRole('region', { name: 'In this browser’s wallet' })
    await held.getByRole('article', { name: /^Dunes at Dusk/ }).waitFor()
    await held.getByRole('button', { name: 'Disconnect' }).click()
    await held
      .getByRole('button', { name: /^Demo wallet/ })
      .first()
      .waitFor()
    expect(await held.getByRole('article').count()).toBe(0)
  }))
