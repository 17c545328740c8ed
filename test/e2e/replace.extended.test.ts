import { expect, test } from 'vitest'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { holdClock } from './helpers/clock.js'
import { forgetTransaction, withoutBlocks } from './helpers/node.js'
import { expectPaidOnce, expectUnpaid } from './helpers/outcome.js'
import { openCheckout } from './helpers/outsideBuyer.js'
import { useOutsideShop } from './helpers/outsideShop.js'
import { waitUntilSeen } from './helpers/storedAttempts.js'

const { dataDir, getStack, shop, shopUntilAsked } = useOutsideShop('replace')

test('behavior: sped up in the wallet, the page goes on with the new transaction', () =>
  shopUntilAsked('sped-up', async ({ page, wallet, orderId, ask }) => {
    await withoutBlocks(dataDir, 'base-sepolia', async () => {
      const slow = await ask.approve()
      await shopper.waitForSent(page)
      expect(await ask.speedUp()).not.toBe(slow)
    })
    await shopper.waitForReceipt(page)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
    expect(wallet.countAsked()).toBe(1)
  }))

test.each([
  ['pay.cancelled', 'cancel', 'Payment cancelled'],
  ['pay.replaced', 'sendOther', 'Another transaction took its place'],
] as const)('error: %s, then paid', (_code, replacement, title) =>
  shopUntilAsked(replacement, async ({ page, wallet, orderId, ask }) => {
    await withoutBlocks(dataDir, 'base-sepolia', async () => {
      await ask.approve()
      await waitUntilSeen(page, orderId)
      await ask[replacement]()
    })
    await page.getByRole('alert').filter({ hasText: title }).waitFor()
    await expectUnpaid(getStack(), { orderId, ...wallet })
    await shopper.payButton(page).click()
    await (await wallet.asks.next()).approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
  }),
)

test('error: pay.dropped, then paid by choice', () =>
  shop('dropped', async (buyer) => {
    const { page, wallet } = buyer
    await holdClock(page)
    const { orderId } = await openCheckout(buyer, getStack().storefrontUrl)
    await shopper.payButton(page).click()
    const ask = await wallet.asks.next()
    await withoutBlocks(dataDir, 'base-sepolia', async () => {
      const txId = await ask.approve()
      await shopper.waitForSent(page)
      await forgetTransaction(dataDir, 'base-sepolia', txId)
    })
    const lost = page.getByRole('alert').filter({ hasText: 'find your payment on the network' })
    await expect
      .poll(
        async () => {
          // Less than a read may take: a longer jump would end the reads on their way.
          await page.clock.fastForward('00:08')
          return lost.isVisible()
        },
        { interval: 500 },
      )
      .toBe(true)
    expect(await shopper.payButton(page).count()).toBe(0)
    await shopper.payAgain(page)
    await (await wallet.asks.next()).approve()
    await shopper.waitForReceipt(page)
    await expectPaidOnce(getStack(), { orderId, ...wallet })
  }))
