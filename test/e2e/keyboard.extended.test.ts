import type { Browser, Locator, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { type Stack, startStack } from '../../scripts/lib/stack.mjs'
import { listenToAnnouncements, takeAnnouncements } from './helpers/announcements.js'
import { expectAccessible } from './helpers/axe.js'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'
import { expectFocus, pressAt, tabTo } from './helpers/keyboard.js'
import { expectLargeTargets, expectNoSidewaysScroll, readLook } from './helpers/looks.js'
import { withoutBlocks } from './helpers/node.js'
import { trees } from './helpers/trees.js'

const dataDir = freshDataDir('keyboard')
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
  withBuyer(browser, { dataDir, name }, async (page) => {
    await listenToAnnouncements(page.context())
    await shopper.openShop(page, stack.storefrontUrl)
    await work(page)
  })

const heading = (page: Page, name: string | RegExp, level = 1) => page.getByRole('heading', { name, level })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const radio = (page: Page, name: RegExp) => page.getByRole('radio', { name })

const openEdition = async (page: Page): Promise<void> => {
  await pressAt(page, page.getByRole('link', { name: 'Dunes at Dusk' }))
  await expectFocus(page, heading(page, 'Dunes at Dusk'))
}

const openCheckout = async (page: Page): Promise<void> => {
  await pressAt(page, button(page, 'Buy for 0.012 ETH'))
  await expectFocus(page, heading(page, 'Checkout'))
}

const connect = async (page: Page): Promise<void> => {
  await pressAt(page, button(page, /^Demo wallet/))
  await expectFocus(page, heading(page, 'Wallet', 2))
  await shopper.payButton(page).waitFor()
}

const roles =
  /^(alert|article|button|complementary|dialog|group|heading|img|link|radio|region|spinbutton|status|textbox|timer)\b/

/**
 * Reads what assistive technology is given, a line an element in the order it is read: its role, its name, its
 * state. What is left of a price is written as `…`.
 */
const readTree = async (root: Locator): Promise<string[]> =>
  (await root.ariaSnapshot())
    .split('\n')
    .map((line) => line.trim().replace(/^- /, '').replace(/:$/, ''))
    .filter((line) => roles.test(line))
    .map((line) => line.replace(/^(timer|link(?= "0x)) .*/, '$1 …'))

/** Checks what a screen exposes to assistive technology, and what it has announced since the last screen. */
const expectPhase = async (
  page: Page,
  phase: keyof typeof trees,
  said: string[],
  root: Locator = page.getByRole('main'),
): Promise<void> => {
  await expectAccessible(page)
  await expect.poll(() => readTree(root)).toEqual(trees[phase])
  expect(await takeAnnouncements(page)).toEqual(said)
}

test('default', () =>
  shop('purchase', async (page) => {
    await tabTo(page, page.getByRole('link', { name: 'Skip to content' }))
    await openEdition(page)
    await expectPhase(page, 'product', [])
    await openCheckout(page)
    await expectPhase(page, 'wallets', ['Choose a wallet or another device to pay with.'])
    await connect(page)
    await expectPhase(page, 'ready', ['Getting your price…', 'Ready to pay.'])
    await pressAt(page, shopper.payButton(page))
    await expectFocus(page, button(page, 'Decline'))
    const dialog = shopper.confirmation(page)
    await expectPhase(page, 'confirmation', ['Checking the payment…', 'Confirm in your wallet…'], dialog)
    await withoutBlocks(dataDir, 'base-sepolia', async () => {
      await pressAt(page, button(page, 'Confirm'))
      await expectFocus(page, heading(page, 'Your payment is sent'))
      await expectPhase(page, 'sent', ['Confirming payment…'])
      // Whatever the page hears of the order meanwhile, what is known is not said again.
      await page.waitForTimeout(3_000)
      expect(await takeAnnouncements(page)).toEqual([])
    })
    await expectFocus(page, heading(page, 'Your edition has arrived'))
    await page.getByRole('status').filter({ hasText: 'Delivered.' }).first().waitFor()
    const said = await takeAnnouncements(page)
    expect(said.at(-1)).toBe('Delivered. Thank you for your order.')
    // The delivery can finish before it is announced. Nothing is announced twice.
    expect(said.filter((words) => words !== 'Paid. Your order is being delivered.')).toHaveLength(1)
    await expectPhase(page, 'receipt', [])
    await pressAt(page, page.getByRole('link', { name: 'Back to the editions' }))
    await expectFocus(page, heading(page, 'Pictures in small digital editions'))
  }))

test('behavior: what was pressed may go, and the focus goes on', () =>
  shop('focus', async (page) => {
    await openEdition(page)
    await tabTo(page, page.getByRole('spinbutton', { name: 'Quantity' }))
    await page.keyboard.press('ArrowUp')
    await button(page, 'Buy for 0.024 ETH').waitFor()
    await tabTo(page, button(page, 'One less'), 'Shift+Tab')
    await page.keyboard.press('Enter')
    // Nothing is less than one, which is no reason to throw out who is there.
    await page.keyboard.press('Enter')
    await expectFocus(page, button(page, 'One less'))
    await openCheckout(page)

    await tabTo(page, radio(page, /^ETH/))
    await page.keyboard.press('ArrowDown')
    await expectFocus(page, radio(page, /^USDC on Base Sepolia/))
    await page.keyboard.press('ArrowUp')
    await connect(page)
    await pressAt(page, button(page, 'Change wallet'))
    await expectFocus(page, heading(page, 'Choose a wallet', 2))
    await connect(page)

    await tabTo(page, radio(page, /^To this wallet/))
    await page.keyboard.press('ArrowDown')
    const email = page.getByRole('textbox', { name: 'E-mail address' })
    await tabTo(page, email)
    await page.keyboard.type('ada@example.com')
    await page.keyboard.press('Enter')
    await expectFocus(page, button(page, 'Change'))
    await page.keyboard.press('Enter')
    await expectFocus(page, email)
    await page.keyboard.press('Enter')
    await shopper.payButton(page).waitFor()

    await tabTo(page, shopper.payButton(page))
    await page.keyboard.press('Space')
    await expectFocus(page, button(page, 'Decline'))
    await takeAnnouncements(page)
    await page.keyboard.press('Escape')
    await page.getByRole('alert').filter({ hasText: 'Declined' }).waitFor()
    await expectFocus(page, shopper.payButton(page))
    await expectAccessible(page)
    const said = await takeAnnouncements(page)
    expect(said.map((words) => words.replace(/^(Declined in your wallet).*/, '$1'))).toEqual([
      'Declined in your wallet',
      'Not paid yet.',
    ])
  }))

/** Buys with a pointer, and looks at each screen on the way. */
const lookAlong = async (page: Page, look: (phase: keyof typeof trees) => Promise<void>): Promise<void> => {
  await shopper.chooseEdition(page, 'Dunes at Dusk')
  await look('product')
  await shopper.buy(page, 'eth')
  await look('wallets')
  await shopper.connectDemoWallet(page)
  await look('ready')
  await shopper.pay(page)
  await look('confirmation')
  await withoutBlocks(dataDir, 'base-sepolia', async () => {
    await shopper.confirm(page)
    await look('sent')
  })
  await shopper.waitForReceipt(page)
  await look('receipt')
}

test('parameters: dark, and 1280 pixels at 400 %', () =>
  shop('zoom', async (page) => {
    await page.setViewportSize({ width: 320, height: 256 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await lookAlong(page, async () => {
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await expectLargeTargets(page)
    })
  }))

test('parameters: forced colours', () =>
  shop('forced-colours', async (page) => {
    await page.emulateMedia({ forcedColors: 'active' })
    const pay = page.locator('[data-look=main]')
    await lookAlong(page, async (phase) => {
      if (phase === 'product' || phase === 'ready') {
        await tabTo(page, pay)
        expect(await readLook(pay)).toMatchObject({ hasBorder: true, borderWidth: 3 })
      }
      if (phase === 'confirmation') {
        // What can be pressed stands out from what waits.
        expect(await readLook(pay.first())).toMatchObject({ hasBorder: true, borderWidth: 1 })
        expect(await readLook(pay.last())).toMatchObject({ hasBorder: true, borderWidth: 3 })
      }
      if (phase === 'sent') {
        const dots = page.locator('li[data-state] > [aria-hidden]')
        const [done, later] = await Promise.all([readLook(dots.first()), readLook(dots.last())])
        expect(done.background).not.toBe(later.background)
        expect(later.hasBorder).toBe(true)
      }
    })
  }))
