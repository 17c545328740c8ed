import type { Browser } from 'playwright'
import { polygonAmoy } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { type Stack, startStack } from '../../scripts/lib/stack.mjs'
import { openBrowser } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'
import { expectPaidOnce, expectUnpaid, readOrder } from './helpers/outcome.js'
import { type OutsideBuyer, openCheckout, withOutsideBuyer } from './helpers/outsideBuyer.js'

const dataDir = freshDataDir('wallet')
let stack: Stack
let browser: Browser
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ dataDir }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const shop = (name: string, work: (buyer: OutsideBuyer) => Promise<void>) =>
  withOutsideBuyer(browser, { serviceUrl: stack.serviceUrl, dataDir, name }, work)

test.each(['eth', 'usdc'])('parameters: %s, paid from a wallet outside the browser', (currency) =>
  shop(`plain-${currency}`, async (buyer) => {
    const { page, wallet } = buyer
    const { orderId } = await openCheckout(buyer, stack.storefrontUrl, { currency })
    await shopper.payButton(page).click()
    await (await wallet.asks.next()).approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(stack, { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }),
)

test('behavior: another currency is chosen on the page, which is no change of the price', () =>
  shop('currency', async (buyer) => {
    const { page, wallet } = buyer
    const { orderId } = await openCheckout(buyer, stack.storefrontUrl)
    await page.getByRole('radio', { name: 'USDC' }).check()
    await page.getByRole('button', { name: /^Pay 36\b/ }).click()
    await (await wallet.asks.next()).approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(stack, { orderId, ...wallet })
    expect((await readOrder(stack, orderId)).payment.received?.currency).toBe('usdc')
  }))

test('error: pay.rejected', () =>
  shop('rejected', async (buyer) => {
    const { page, wallet } = buyer
    const { orderId } = await openCheckout(buyer, stack.storefrontUrl)
    await shopper.payButton(page).click()
    ;(await wallet.asks.next()).reject()
    await page.getByRole('alert').filter({ hasText: 'declined' }).waitFor()
    await expectUnpaid(stack, { orderId, ...wallet })

    await shopper.payButton(page).click()
    await (await wallet.asks.next()).approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(stack, { orderId, ...wallet })
  }))

test('behavior: closed without an answer, nothing is paid until the buyer chooses to pay again', () =>
  shop('closed', async (buyer) => {
    const { page, wallet } = buyer
    const { orderId } = await openCheckout(buyer, stack.storefrontUrl)
    await shopper.payButton(page).click()
    await wallet.asks.next()
    await page.reload()
    await shopper.doubt(page).waitFor()
    await expectUnpaid(stack, { orderId, ...wallet })
    await shopper.payAgain(page)
    await (await wallet.asks.next()).approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(stack, { orderId, ...wallet })
  }))

test('behavior: the account is switched while the wallet asks, and the first account pays', () =>
  shop('account-approved', async (buyer) => {
    const { page, wallet } = buyer
    const { orderId } = await openCheckout(buyer, stack.storefrontUrl)
    await shopper.payButton(page).click()
    const ask = await wallet.asks.next()
    wallet.switchAccount()
    await ask.approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(stack, { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }))

test('behavior: the account is switched while the wallet asks, the question falls, and the other account pays', () =>
  shop('account-rejected', async (buyer) => {
    const { page, wallet } = buyer
    const { orderId } = await openCheckout(buyer, stack.storefrontUrl)
    await shopper.payButton(page).click()
    const first = await wallet.asks.next()
    wallet.switchAccount()
    first.reject()
    await shopper.payButton(page).click()
    const second = await wallet.asks.next()
    expect(second.payer).not.toBe(first.payer)
    await second.approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(stack, { orderId, ...wallet })
  }))

test('behavior: the network is switched while the wallet asks, the question falls, and it is switched back', () =>
  shop('network', async (buyer) => {
    const { page, wallet } = buyer
    const { orderId } = await openCheckout(buyer, stack.storefrontUrl)
    await shopper.payButton(page).click()
    const first = await wallet.asks.next()
    await wallet.switchNetwork(polygonAmoy.id)
    first.reject()
    await shopper.payButton(page).click()
    await (await wallet.asks.next()).approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(stack, { orderId, ...wallet })
  }))

test('behavior: no answer for a minute is told, and an answer that comes late is taken', () =>
  shop('late', async (buyer) => {
    const { page, wallet } = buyer
    await page.clock.install()
    const { orderId } = await openCheckout(buyer, stack.storefrontUrl)
    await shopper.payButton(page).click()
    const ask = await wallet.asks.next()
    await page.clock.fastForward('02:00')
    await shopper.doubt(page).waitFor()
    expect(await shopper.payButton(page).count()).toBe(0)
    await expectUnpaid(stack, { orderId, ...wallet })
    await ask.approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(stack, { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }))
