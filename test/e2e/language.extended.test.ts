import { messages as germanParts } from 'kassa/locales/de-DE'
import { messages as frenchParts } from 'kassa/locales/fr-FR'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDelivered } from '../../scripts/lib/delivered.mjs'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { type Stack, startStack } from '../../scripts/lib/stack.mjs'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'
import { loadPatterns, toPattern } from './helpers/sentences.js'

const dataDir = freshDataDir('language')
let stack: Stack
let browser: Browser
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ dataDir }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const inGerman = { locale: 'de-AT' }

const readLanguage = (page: Page) => page.locator('html').getAttribute('lang')
const choice = (page: Page) => page.locator('footer').getByRole('combobox')
const button = (page: Page, name: RegExp) => page.getByRole('button', { name })
const heading = (page: Page, name: RegExp) => page.getByRole('heading', { name })

/** Chooses a language as a visitor does, and waits for the page in it. */
const choose = async (page: Page, language: string): Promise<void> => {
  await choice(page).selectOption(language)
  await page.locator(`html[lang="${language}"]`).waitFor()
}

test('default: a buyer with a German browser buys in German, and goes on in French', () =>
  withBuyer(browser, { dataDir, name: 'german', options: inGerman }, async (page) => {
    const [german, french] = await Promise.all([loadPatterns('de'), loadPatterns('fr')])
    await page.goto(stack.storefrontUrl)
    await heading(page, german('shop.claim')).waitFor()
    expect(await readLanguage(page)).toBe('de')
    expect(await choice(page).inputValue()).toBe('de')
    await page.getByRole('article').getByRole('link', { name: 'Dunes at Dusk' }).click()
    await button(page, german('buy.buy')).click()
    await page.waitForURL(/\/checkout\//)
    await heading(page, german('checkout.title')).waitFor()
    await page.getByText(german('wallets.demoText')).click()
    await button(page, toPattern(germanParts.pay)).waitFor()

    // The page keeps its address, the order and the wallet.
    const url = page.url()
    await choose(page, 'fr')
    await button(page, toPattern(frenchParts.pay)).waitFor()
    expect(page.url()).toBe(url)
    await heading(page, french('wallets.title')).waitFor()
    await page.getByText(french('checkout.balance')).waitFor()

    await button(page, toPattern(frenchParts.pay)).click()
    const dialog = page.getByRole('dialog', { name: french('wallets.confirmPayment') })
    await dialog.getByRole('button', { name: french('wallets.confirm') }).click()
    await page.getByRole('region', { name: french('receipt.title') }).waitFor()
    expect(await readDelivered(stack, shopper.orderIdOf(page))).toHaveLength(1)

    await page.reload()
    await page.getByRole('region', { name: french('receipt.title') }).waitFor()
    expect(await readLanguage(page)).toBe('fr')

    await page.getByLabel(french('receipt.mail')).fill('ada@example.com')
    await button(page, french('receipt.send')).click()
    await page.getByText('ada@example.com').first().waitFor()
    await page.goto(`${stack.storefrontUrl}/sandbox/mails`)
    await page.getByText(french('mails.receiptTitle')).first().waitFor()
  }))

test('behavior: the choice stays for other pages and later visits', () =>
  withBuyer(browser, { dataDir, name: 'stays', options: inGerman }, async (page) => {
    const japanese = await loadPatterns('ja')
    await page.goto(`${stack.storefrontUrl}/wallet?from=mail`)
    await choose(page, 'ja')
    expect(page.url()).toBe(`${stack.storefrontUrl}/wallet?from=mail`)
    await heading(page, japanese('wallet.title')).waitFor()
    await page.goto(stack.storefrontUrl)
    await heading(page, japanese('shop.claim')).waitFor()
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'language')
    expect(cookie).toMatchObject({ value: 'ja', path: '/', sameSite: 'Lax' })
    expect((cookie?.expires ?? 0) * 1000 - Date.now()).toBeGreaterThan(364 * 24 * 60 * 60_000)
  }))

test('behavior: without JavaScript, a button sets the language', () =>
  withBuyer(
    browser,
    { dataDir, name: 'no-script', options: { ...inGerman, javaScriptEnabled: false } },
    async (page) => {
      const [german, italian] = await Promise.all([loadPatterns('de'), loadPatterns('it')])
      await page.goto(`${stack.storefrontUrl}/editions/dunes-at-dusk`)
      await choice(page).selectOption('it')
      await button(page, german('shop.setLanguage')).click()
      await button(page, italian('buy.buy')).waitFor()
      expect(await readLanguage(page)).toBe('it')
      expect(new URL(page.url()).pathname).toBe('/editions/dunes-at-dusk')
    },
  ))

test('behavior: on a phone, a finger finds the choice, which each language calls by its own name', () =>
  withBuyer(
    browser,
    { dataDir, name: 'phone', options: { viewport: { width: 360, height: 640 } } },
    async (page) => {
      await page.goto(stack.storefrontUrl)
      const box = await choice(page).boundingBox()
      expect(box?.height).toBeGreaterThanOrEqual(44)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
      const options = await choice(page)
        .locator('option')
        .evaluateAll((all) => all.map((option) => [option.getAttribute('lang'), option.textContent]))
      expect(options).toHaveLength(15)
      expect(options).toContainEqual(['de', 'Deutsch'])
    },
  ))

test('behavior: a response is not stored for a visitor of another language', async () => {
  const open = (headers: Record<string, string>) => fetch(stack.storefrontUrl, { headers })
  const german = await open({ 'accept-language': 'de-AT,de;q=0.9' })
  expect(german.headers.get('cache-control')).toMatch(/no-store|no-cache/)
  expect(await german.text()).toContain('<html lang="de"')
  const chosen = await open({ 'accept-language': 'de', cookie: 'language=ko' })
  expect(await chosen.text()).toContain('<html lang="ko"')
  const hostile = await open({ 'accept-language': 'de', cookie: 'language="><script>' })
  expect(await hostile.text()).toContain('<html lang="de"')
})
