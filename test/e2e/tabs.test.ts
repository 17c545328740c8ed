import { expect, test } from 'vitest'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { crash } from './helpers/browser.js'
import { expectPaidOnce, expectUnpaid } from './helpers/outcome.js'
import { openCheckout } from './helpers/outsideBuyer.js'
import { useOutsideShop } from './helpers/outsideShop.js'

const { getStack, shop, shopUntilAsked } = useOutsideShop('tabs')

test('behavior: pressed in two tabs at once, the wallet is asked once and both tabs end at the receipt', () =>
  shop('both', async (buyer) => {
    const { page, wallet, openTab } = buyer
    const { orderId } = await openCheckout(buyer, getStack().storefrontUrl)
    const other = await openTab()
    await shopper.payButton(other).waitFor()
    await Promise.all([shopper.payButton(page).click(), shopper.payButton(other).click()])
    const ask = await wallet.asks.next()
    const inOtherTab = { hasText: 'another tab' }
    await page
      .getByRole('alert')
      .filter(inOtherTab)
      .or(page.getByRole('status').filter({ hasText: 'wallet' }))
      .first()
      .waitFor()
    await Promise.any([page, other].map((tab) => tab.getByRole('alert').filter(inOtherTab).waitFor()))
    await ask.approve()
    await Promise.all([shopper.waitForReceipt(page), shopper.waitForReceipt(other)])
    await expectPaidOnce(getStack(), { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }))

test('behavior: seven tabs on HTTP/1.1, which gives a host six connections, all load and end at the receipt', () =>
  shop('seven', async (buyer) => {
    const { page, wallet, openTab } = buyer
    const { orderId } = await openCheckout(buyer, getStack().storefrontUrl)
    const others: (typeof page)[] = []
    while (others.length < 6) {
      const other = await openTab()
      await shopper.payButton(other).waitFor()
      others.push(other)
    }
    await shopper.payButton(page).click()
    await (await wallet.asks.next()).approve()
    await Promise.all([page, ...others].map((tab) => shopper.waitForReceipt(tab)))
    await expectPaidOnce(getStack(), { orderId, ...wallet })
  }))

test('behavior: a tab opened while another pays looks on and catches up', () =>
  shopUntilAsked('late', async ({ page, wallet, openTab, orderId, ask }) => {
    const other = await openTab()
    await other.getByRole('heading', { name: 'Checkout', exact: true }).waitFor()
    await ask.approve()
    await Promise.all([shopper.waitForReceipt(page), shopper.waitForReceipt(other)])
    await expectPaidOnce(getStack(), { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }))

test('behavior: a tab crashes while the wallet asks: another tab does not pay a second time unasked', () =>
  shopUntilAsked('crash', async ({ page, wallet, openTab, orderId, ask }) => {
    const other = await openTab()
    await other.getByRole('heading', { name: 'Checkout', exact: true }).waitFor()
    await crash(page)
    await other.reload()
    await shopper.doubt(other).waitFor()
    await expectUnpaid(getStack(), { orderId, ...wallet })
    await ask.approveUnheard()
    await shopper.waitForReceipt(other)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }))

test('behavior: a tab crashes after approving: another one follows the payment', () =>
  shop('crash-sent', async (buyer) => {
    const { page, wallet, openTab } = buyer
    const { orderId } = await openCheckout(buyer, getStack().storefrontUrl)
    const other = await openTab()
    await shopper.payButton(other).waitFor()
    await shopper.payButton(page).click()
    await (await wallet.asks.next()).approve()
    await crash(page)
    await shopper.waitForReceipt(other)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }))
