import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { hidePage, showPage } from './helpers/background.js'
import { withoutBlocks } from './helpers/node.js'
import { expectPaidOnce, expectUnpaid } from './helpers/outcome.js'
import { useOutsideShop } from './helpers/outsideShop.js'

const chain = 'base-sepolia'
const { dataDir, getStack, shopUntilAsked } = useOutsideShop('come-back')

/** What a page says of a question that went to the wallet and never came back. */
const waitForDoubt = (page: Page): Promise<void> => shopper.doubt(page).waitFor()

test('behavior: reloaded while the wallet asks, then approved there, it is found and paid once', () =>
  shopUntilAsked('reload-asked', async ({ page, wallet, orderId, ask }) => {
    await page.reload()
    await waitForDoubt(page)
    await expectUnpaid(getStack(), { orderId, ...wallet })
    await ask.approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }))

test('behavior: reloaded while the wallet asks, then declined there, it is paid again by choice only', () =>
  shopUntilAsked('reload-declined', async ({ page, wallet, orderId, ask }) => {
    await page.reload()
    ask.reject()
    await waitForDoubt(page)
    expect(await shopper.payButton(page).count()).toBe(0)
    await shopper.payAgain(page)
    await (await wallet.asks.next()).approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(2)
  }))

test('behavior: reloaded right after approving', () =>
  shopUntilAsked('reload-approved', async ({ page, wallet, orderId, ask }) => {
    await ask.approve()
    await page.reload()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }))

test('behavior: reloaded while the payment waits for its block', () =>
  shopUntilAsked('reload-waiting', async ({ page, wallet, orderId, ask }) => {
    await withoutBlocks(dataDir, chain, async () => {
      await ask.approve()
      await shopper.waitForSent(page)
      await page.reload()
      await shopper.waitForSent(page)
      await expectUnpaid(getStack(), { orderId, ...wallet })
    })
    await shopper.waitForReceipt(page)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }))

test('behavior: back from the wallet’s app, whose answer was lost, the payment is found and followed', () =>
  shopUntilAsked('return', async ({ page, wallet, orderId, ask }) => {
    await hidePage(page)
    await ask.approveUnheard()
    await showPage(page)
    await shopper.waitForReceipt(page)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }))

test('behavior: thrown away behind the wallet’s app, the page finds the payment when it loads again', () =>
  shopUntilAsked('discarded', async ({ context, page, wallet, orderId, url, ask }) => {
    await hidePage(page)
    await page.close()
    await withoutBlocks(dataDir, chain, async () => {
      await ask.approveUnheard()
      const back = await context.newPage()
      await back.goto(url)
      await shopper.waitForSentOrDoubt(back)
      expect(await shopper.payButton(back).count()).toBe(0)
    })
    const [back] = context.pages()
    if (!back) throw new Error('the page is gone')
    await shopper.waitForReceipt(back)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }))

test('behavior: back from the wallet’s app without having approved, nothing is paid', () =>
  shopUntilAsked('return-unpaid', async ({ context, page, wallet, orderId, url, ask }) => {
    await hidePage(page)
    await page.close()
    ask.reject()
    const back = await context.newPage()
    await back.goto(url)
    await waitForDoubt(back)
    await expectUnpaid(getStack(), { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }))
