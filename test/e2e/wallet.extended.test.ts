import { polygonAmoy } from 'viem/chains'
import { expect, test } from 'vitest'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { expectPaidOnce, expectUnpaid, readOrder } from './helpers/outcome.js'
import { openCheckout } from './helpers/outsideBuyer.js'
import { useOutsideShop } from './helpers/outsideShop.js'

const { getStack, shop, shopUntilAsked } = useOutsideShop('wallet')

test.each(['eth', 'usdc'])('parameters: %s, paid from a wallet outside the browser', (currency) =>
  shop(`plain-${currency}`, async (buyer) => {
    const { page, wallet } = buyer
    const { orderId } = await openCheckout(buyer, getStack().storefrontUrl, { currency })
    await shopper.payButton(page).click()
    await (await wallet.asks.next()).approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }),
)

test('behavior: another currency is chosen on the page, which is no change of the price', () =>
  shop('currency', async (buyer) => {
    const { page, wallet } = buyer
    const { orderId } = await openCheckout(buyer, getStack().storefrontUrl)
    await page.getByRole('radio', { name: 'USDC on Base Sepolia' }).check()
    await page.getByRole('button', { name: /^Pay 36\b/ }).click()
    await (await wallet.asks.next()).approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
    expect((await readOrder(getStack(), orderId)).payment.received?.currency).toBe('usdc')
  }))

test('error: pay.rejected', () =>
  shopUntilAsked('rejected', async ({ page, wallet, orderId, ask }) => {
    ask.reject()
    await page.getByRole('alert').filter({ hasText: 'declined' }).waitFor()
    await expectUnpaid(getStack(), { orderId, ...wallet })

    await shopper.payButton(page).click()
    await (await wallet.asks.next()).approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
  }))

test('behavior: closed without an answer, nothing is paid until the buyer chooses to pay again', () =>
  shopUntilAsked('closed', async ({ page, wallet, orderId }) => {
    await page.reload()
    await shopper.doubt(page).waitFor()
    await expectUnpaid(getStack(), { orderId, ...wallet })
    await shopper.payAgain(page)
    await (await wallet.asks.next()).approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
  }))

test('behavior: the account is switched while the wallet asks, and the first account pays', () =>
  shopUntilAsked('account-approved', async ({ page, wallet, orderId, ask }) => {
    wallet.switchAccount()
    await ask.approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }))

test('behavior: the account is switched while the wallet asks, the question falls, and the other account pays', () =>
  shopUntilAsked('account-rejected', async ({ page, wallet, orderId, ask: first }) => {
    wallet.switchAccount()
    first.reject()
    await shopper.payButton(page).click()
    const second = await wallet.asks.next()
    expect(second.payer).not.toBe(first.payer)
    await second.approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
  }))

test('behavior: the network is switched while the wallet asks, the question falls, and it is switched back', () =>
  shopUntilAsked('network', async ({ page, wallet, orderId, ask: first }) => {
    await wallet.switchNetwork(polygonAmoy.id)
    first.reject()
    await shopper.payButton(page).click()
    await (await wallet.asks.next()).approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
  }))

test('behavior: a minute without an answer is reported, and a late answer still counts', () =>
  shop('late', async (buyer) => {
    const { page, wallet } = buyer
    await page.clock.install()
    const { orderId } = await openCheckout(buyer, getStack().storefrontUrl)
    await shopper.payButton(page).click()
    const ask = await wallet.asks.next()
    await page.clock.fastForward('02:00')
    await shopper.doubt(page).waitFor()
    expect(await shopper.payButton(page).count()).toBe(0)
    await expectUnpaid(getStack(), { orderId, ...wallet })
    await ask.approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }))
