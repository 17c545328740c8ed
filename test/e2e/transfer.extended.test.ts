import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDelivered } from '../../scripts/lib/delivered.mjs'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { type Stack, startStack } from '../../scripts/lib/stack.mjs'
import { listFaintTexts } from '../helpers/contrast.js'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'
import { readOrder } from './helpers/outcome.js'
import { codeOf, createPhoneWallet, createSolanaPhone, scan } from './helpers/phoneWallet.js'

const dataDir = freshDataDir('transfer')
let stack: Stack
let browser: Browser
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ dataDir }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }
const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
}

const isInView = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= window.innerHeight
}

const shop = (name: string, options: BrowserContextOptions, work: (page: Page) => Promise<void>) =>
  withBuyer(browser, { dataDir, name, options }, work)

/** Begins an order, without a wallet in the page, for an account that never comes near it. */
const openTransfer = async (page: Page, edition: string, currency: string): Promise<string> => {
  const recipient = privateKeyToAddress(generatePrivateKey())
  await shopper.openShop(page, stack.storefrontUrl)
  await shopper.chooseEdition(page, edition)
  await shopper.buy(page, currency)
  await page.getByText('Pay from another device').click()
  await page.getByLabel('Ethereum address').fill(recipient)
  await page.getByRole('button', { name: 'Use this address' }).click()
  await codeOf(page).waitFor()
  return recipient
}

/** Expects one token, which the chain says the recipient owns, for exactly the price, from the wallet. */
const expectDelivered = async (page: Page, { to, txId }: { to: string; txId: string }): Promise<void> => {
  await expectOwned(page, to)
  const { quote, payment } = await readOrder(stack, shopper.orderIdOf(page))
  const { amount, currency } = quote.totalPrice ?? {}
  expect(payment.received).toMatchObject({ amount, currency, txId })
  expect(payment.refunded).toBeUndefined()
}

const expectOwned = async (page: Page, owner: string): Promise<void> => {
  await shopper.waitForReceipt(page)
  expect(await readDelivered(stack, shopper.orderIdOf(page))).toEqual([expect.objectContaining({ owner })])
}

test('default: a desktop page in the dark, paid in a token by a phone that scans it', () =>
  shop('desktop', desktop, async (page) => {
    const wallet = await createPhoneWallet(stack, 'base-sepolia')
    const to = await openTransfer(page, 'Dunes at Dusk', 'usdc')
    expect(await listFaintTexts(page.getByRole('main'))).toEqual([])
    const uri = await scan(codeOf(page))
    expect(await page.getByRole('link', { name: 'Open in wallet' }).getAttribute('href')).toBe(uri)
    // What a wallet is shown names nothing that opens the order.
    expect(uri).toMatch(/^ethereum:0x\w{40}@84532\/transfer\?address=0x\w{40}&uint256=\d+$/)
    await expectDelivered(page, { to, txId: await wallet.pay(uri) })
  }))

test('parameters: a page on the phone itself, paid in the native currency by its link', () =>
  shop('phone', phone, async (page) => {
    const wallet = await createPhoneWallet(stack, 'polygon-amoy')
    const to = await openTransfer(page, 'Coral Lattice', 'pol')
    const uri = await page.getByRole('link', { name: 'Open in wallet' }).getAttribute('href')
    expect(await scan(codeOf(page))).toBe(uri)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBe(phone.viewport?.width)
    // A wallet that knows no calls loses nothing but the fee, and the order stays open.
    await expect(wallet.payWithoutCall(uri ?? '')).rejects.toThrow('was reverted')
    await expectDelivered(page, { to, txId: await wallet.pay(uri ?? '') })
  }))

test('behavior: too little counts, which the page says without a wallet; then the rest is paid', () =>
  shop('too-little', { ...phone, viewport: { width: 360, height: 740 } }, async (page) => {
    const wallet = await createPhoneWallet(stack, 'base-sepolia')
    const to = await openTransfer(page, 'Dunes at Dusk', 'usdc')
    await page.getByText('Waiting for your payment…').waitFor()
    const uri = await scan(codeOf(page))
    await wallet.pay(uri.replace(/uint256=\d+/, 'uint256=30000000'))
    const news = page.getByText('Part of the price was paid, and 6.00\u00a0USDC is left to pay.')
    // Once for screen readers, once in view.
    await news.nth(1).waitFor()
    expect(await news.nth(0).getAttribute('aria-live')).toBe('polite')
    await expect.poll(() => news.nth(1).evaluate(isInView)).toBe(true)
    const rest = await scan(codeOf(page))
    expect(rest).toMatch(/uint256=6000000$/)
    await wallet.pay(rest)
    await expectOwned(page, to)
    const { payment } = await readOrder(stack, shopper.orderIdOf(page))
    expect(payment.refunded).toBeUndefined()
  }))

test('behavior: in a token on Solana, by a phone that scans it', () =>
  shop('solana-token', phone, async (page) => {
    const wallet = await createSolanaPhone(stack)
    await shopper.openShop(page, stack.storefrontUrl)
    await shopper.chooseEdition(page, 'Night Ferry')
    await shopper.buy(page, 'usdc on Solana')
    await page.getByText('Pay from another device').click()
    await page.getByLabel('Solana address').fill(wallet.address)
    await page.getByRole('button', { name: 'Use this address' }).click()
    await codeOf(page).waitFor()
    const uri = await scan(codeOf(page))
    expect(uri).toMatch(
      /^solana:\w+\?amount=[\d.]+&spl-token=\w+&reference=\w+&reference=\w+&memo=Order%20[\w-]+$/,
    )
    // The address by hand is the one that the code names.
    await page.getByText(new URL(uri).pathname).first().waitFor()
    await expectDelivered(page, { to: wallet.address, txId: await wallet.pay(uri) })
  }))

test('behavior: beside a connected wallet, which pays instead', () =>
  shop('connected', desktop, async (page) => {
    await shopper.openShop(page, stack.storefrontUrl)
    await shopper.chooseEdition(page, 'Dunes at Dusk')
    await shopper.buy(page, 'usdc')
    await shopper.connectDemoWallet(page)
    await page.getByText('Pay from another device').click()
    await codeOf(page).waitFor()
    await shopper.pay(page)
    // The wallet is being asked, so the page must not ask for the same money again.
    await page.getByText('A payment from your wallet may be on its way.').waitFor()
    expect(await codeOf(page).count()).toBe(0)
    await shopper.decline(page)
    await codeOf(page).waitFor()
    await shopper.pay(page)
    await shopper.confirm(page)
    await shopper.waitForReceipt(page)
  }))
