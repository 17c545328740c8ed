import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDelivered } from '../../scripts/lib/delivered.mjs'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { type Stack, startStack } from '../../scripts/lib/stack.mjs'
import { announceSolanaWallet } from './helpers/announceSolanaWallet.js'
import { walletName } from './helpers/announceWallet.js'
import { explainFailure, openBrowser, withBuyer } from './helpers/browser.js'
import { rpcUrlOf } from './helpers/chain.js'
import { freshDataDir } from './helpers/dataDir.js'
import { readOrder } from './helpers/outcome.js'
import { createOutsideSolanaWallet, type OutsideSolanaWallet } from './helpers/outsideSolanaWallet.js'

const dataDir = freshDataDir('solana-purchase')
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

/** Returns the locator of the one delivered token, after asking its chain for the owner. */
const expectDelivered = async (page: Page): Promise<string> => {
  await shopper.waitForReceipt(page)
  const orderId = shopper.orderIdOf(page)
  const [token, second] = await readDelivered(stack, orderId)
  expect(second).toBeUndefined()
  const { quote, payment } = await readOrder(stack, orderId)
  const { amount, currency } = quote.totalPrice ?? {}
  expect(payment.received).toMatchObject({ amount, currency })
  expect(payment.refunded).toBeUndefined()
  return token?.locator ?? ''
}

type SolanaBuyer = { page: Page; wallet: OutsideSolanaWallet; openTab(): Promise<Page> }

const shopOutside = async (
  name: string,
  options: { isFunded?: boolean },
  work: (buyer: SolanaBuyer) => Promise<void>,
): Promise<void> => {
  const wallet = await createOutsideSolanaWallet(stack, options)
  const context: BrowserContext = await browser.newContext()
  await announceSolanaWallet(context, wallet)
  const page = await context.newPage()
  const openTab = async (): Promise<Page> => {
    const tab = await context.newPage()
    await tab.goto(page.url())
    return tab
  }
  try {
    await checkout(page, 'Night Ferry', 'sol')
    await page.getByRole('button', { name: new RegExp(`^${walletName}`) }).click()
    await work({ page, wallet, openTab })
  } catch (error) {
    throw await explainFailure(error, page, join(dataDir, `${name}.png`))
  } finally {
    await context.close()
  }
}

const getBalance = async (address: string): Promise<number> => {
  const response = await fetch(rpcUrlOf(stack, 'solana'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getBalance',
      params: [address, { commitment: 'confirmed' }],
    }),
  })
  return (await response.json()).result.value
}

/** The price in lamports, and the most that the fee of one payment is. */
const price = 150_000_000
const maxFee = 100_000

/** Expects that an account of 1,000 SOL has paid the price once. */
const expectPaidOnce = async (address = ''): Promise<void> => {
  const spent = 1_000_000_000_000 - (await getBalance(address))
  expect(spent).toBeGreaterThan(price)
  expect(spent).toBeLessThan(price + maxFee)
}

const declined = (page: Page) => page.getByRole('alert').filter({ hasText: 'declined' })

test.concurrent('default: declined in the demo wallet, then paid, and the chain itself names the holder', () =>
  shop('demo', async (page) => {
    await checkout(page, 'Night Ferry', 'sol')
    await shopper.connectDemoWallet(page)
    await shopper.pay(page)
    await expect
      .poll(() => shopper.confirmation(page).innerText())
      .toMatch(/0\.15\sSOL\s+Network\s+Solana\s+To/)
    await shopper.decline(page)
    await declined(page).waitFor()
    await shopper.pay(page)
    await shopper.confirm(page)
    const locator = await expectDelivered(page)
    expect(locator).toMatch(/^solana:[1-9A-HJ-NP-Za-km-z]{32,44}$/)
    await page.getByText(locator.replace('solana:', '')).first().waitFor({ state: 'attached' })
    await page.getByText('You', { exact: true }).waitFor()
    await page.getByRole('heading', { name: /^Night Ferry No\. \d+$/ }).waitFor()
  }))

test.concurrent('behavior: in USDC, with a reload while the wallet asks and another once it has paid', () =>
  shop('reload', async (page) => {
    await checkout(page, 'Night Ferry', 'usdc')
    await shopper.connectDemoWallet(page)
    await shopper.pay(page)
    await page.reload()
    await shopper.doubt(page).waitFor()
    await shopper.payAgain(page)
    await shopper.confirm(page)
    await page.reload()
    await expectDelivered(page)
    await page.reload()
    await shopper.waitForReceipt(page)
  }))

test.concurrent('behavior: a foreign wallet that only signs, in two tabs at once, is asked once', () =>
  shopOutside('tabs', {}, async ({ page, wallet, openTab }) => {
    await shopper.payButton(page).waitFor()
    const other = await openTab()
    await shopper.payButton(other).waitFor()
    await shopper.payButton(page).click()
    const first = await wallet.asks.next()
    first.reject()
    await declined(page).waitFor()
    await Promise.all([shopper.payButton(page).click(), shopper.payButton(other).click()])
    ;(await wallet.asks.next()).approve()
    await Promise.all([expectDelivered(page), shopper.waitForReceipt(other)])
    expect(wallet.countAsked()).toBe(2)
    await expectPaidOnce(first.payer)
  }))

test.concurrent('behavior: the account is switched in the wallet, which then pays', () =>
  shopOutside('account', {}, async ({ page, wallet }) => {
    const [before, after] = wallet.accounts
    await shopper.payButton(page).click()
    const first = await wallet.asks.next()
    expect(first.payer).toBe(before)
    wallet.switchAccount()
    first.reject()
    await shopper.payButton(page).click()
    const second = await wallet.asks.next()
    expect(second.payer).toBe(after)
    second.approve()
    await expectDelivered(page)
    await expectPaidOnce(after)
  }))

test.concurrent('error: a wallet without funds pays once it has some', () =>
  shopOutside('funds', { isFunded: false }, async ({ page, wallet }) => {
    await page.getByRole('button', { name: 'Get test funds' }).click()
    await shopper.payButton(page).click()
    ;(await wallet.asks.next()).approve()
    await expectDelivered(page)
    await expectPaidOnce(wallet.accounts[0])
  }))

test.concurrent('behavior: an edition on an EVM chain is paid for on Solana and delivered to a typed address', () =>
  shop('evm-edition', async (page) => {
    await checkout(page, 'Dunes at Dusk', 'usdc on Solana')
    await page.getByRole('button', { name: /^Demo wallet/ }).click()
    const field = page.getByLabel('Ethereum address')
    await field.fill('0x123')
    await page.getByRole('button', { name: 'Use this address' }).click()
    await page.getByRole('alert').filter({ hasText: 'not an Ethereum address' }).waitFor()
    await field.fill('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC')
    await page.getByRole('button', { name: 'Use this address' }).click()
    await shopper.pay(page)
    await shopper.confirm(page)
    expect(await expectDelivered(page)).toMatch(/^base-sepolia:/)
  }))

test.concurrent('behavior: the Solana edition is paid for from an EVM wallet and delivered to the Solana wallet', () =>
  shop('evm-wallet', async (page) => {
    await checkout(page, 'Night Ferry', 'sol')
    await shopper.connectDemoWallet(page)
    await page
      .getByRole('radio', { name: /on Base Sepolia/ })
      .first()
      .check()
    await page.getByRole('heading', { name: 'Choose a wallet' }).waitFor()
    await shopper.connectDemoWallet(page)
    await shopper.pay(page)
    await shopper.confirm(page)
    expect(await expectDelivered(page)).toMatch(/^solana:/)
  }))
