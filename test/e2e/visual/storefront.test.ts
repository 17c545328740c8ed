import { join } from 'node:path'
import { messages } from 'kassa/locales/de-DE'
import type { Browser, Page } from 'playwright'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveFolder } from '../../../scripts/lib/serveFolder.mjs'
import * as shopper from '../../../scripts/lib/shopper.mjs'
import { type Stack, startStack } from '../../../scripts/lib/stack.mjs'
import { root } from '../../helpers/sources.js'
import { openBrowser, withBuyer } from '../helpers/browser.js'
import { freshDataDir } from '../helpers/dataDir.js'
import { inspect } from '../helpers/eyes.js'
import { observeLayoutShifts, takeLayoutShifts } from '../helpers/layoutShift.js'
import { withoutBlocks } from '../helpers/node.js'
import { listEnglish, loadPatterns, toPattern } from '../helpers/sentences.js'
import { takePictures } from '../helpers/takePictures.js'

const dataDir = freshDataDir('visual')
let stack: Stack
let browser: Browser
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ dataDir }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

type Look = (state: string) => Promise<void>

/** Does something as a buyer, and expects nothing wrong in any of the states that it looks at. */
const look = (name: string, work: (page: Page, look: Look) => Promise<void>): Promise<void> =>
  withBuyer(browser, { dataDir, name }, async (page) => {
    const problems = new Map<string, string>()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await work(page, async (state) => {
      // The first state tells; the same problem in the next is the same mend.
      for (const problem of await inspect(page, { styled: 'body' }))
        if (!problems.has(problem)) problems.set(problem, state)
      await takePictures(page, `${name}--${state.replace(/\W+/g, '-')}`)
    })
    expect([...problems].map(([problem, state]) => `${state}, ${problem}`)).toEqual([])
  })

/** Holds back what a page sends to some addresses while something is done. */
const whileHeld = async (
  page: Page,
  { url, method }: { url: string; method: string },
  work: () => Promise<void>,
): Promise<void> => {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    if (route.request().method() === method) await released
    await route.fallback()
  })
  await work()
  release()
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

test('behavior: Next, from the first page to the receipt', () =>
  look('next', async (page, see) => {
    await shopper.openShop(page, stack.storefrontUrl)
    await see('home')
    await shopper.chooseEdition(page, 'Dunes at Dusk')
    await see('edition')
    await whileHeld(page, { url: '**/editions/*', method: 'POST' }, async () => {
      await button(page, /^Buy for/).click()
      await button(page, 'Opening checkout').waitFor()
      await see('opening the checkout')
    })
    await page.waitForURL(/\/checkout\//)
    const url = page.url()
    await see('wallets')
    await shopper.connectDemoWallet(page)
    await see('ready')

    await page.getByRole('radio', { name: /^To an e-mail address/ }).check()
    await button(page, 'Use this address').click()
    await see('an e-mail address wanted')
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('ada@example.com')
    await whileHeld(page, { url: '**/api/checkout/**', method: 'PATCH' }, async () => {
      await button(page, 'Use this address').click()
      await page.getByText('Getting your price').waitFor()
      await see('getting a price')
    })
    await shopper.payButton(page).waitFor()
    await see('a gift')

    await shopper.pay(page)
    await see('the wallet asks')
    await shopper.decline(page)
    await page.getByRole('alert').filter({ hasText: 'Declined' }).waitFor()
    await see('declined')

    await page.goto(`${url}/panel`)
    await shopper.payButton(page).waitFor()
    await see('panel: ready')
    await shopper.pay(page)
    await see('panel: the wallet asks')
    await shopper.decline(page)
    await page.getByRole('main').getByRole('alert').filter({ hasText: 'Declined' }).waitFor()
    await see('panel: declined')
    await shopper.pay(page)
    await withoutBlocks(dataDir, 'base-sepolia', async () => {
      await shopper.confirmation(page).getByRole('button', { name: 'Confirm' }).click()
      await page.getByText('Confirming payment').first().waitFor()
      await see('panel: sent')
      await page.goto(url)
      await shopper.waitForSent(page)
      await see('sent')
    })
    await shopper.waitForReceipt(page)
    await see('receipt')
    await page.goto(`${url}/panel`)
    await page.getByText('Delivered. Thank you').first().waitFor()
    await see('panel: receipt')
  }))

test('behavior: Next says no English sentence in another language', () =>
  withBuyer(browser, { dataDir, name: 'german', options: { locale: 'de-DE' } }, async (page) => {
    const german = await loadPatterns('de')
    const problems: string[] = []
    const read = async (state: string): Promise<void> => {
      const found = await listEnglish(page, 'de')
      problems.push(...found.map((text) => `${state}: “${text}”`))
    }
    const open = (path: string) => page.goto(`${stack.storefrontUrl}${path}`)
    await page.context().addCookies([{ name: 'language', value: 'en', url: stack.storefrontUrl }])
    await open('/')
    expect((await listEnglish(page, 'de')).length).toBeGreaterThan(20)
    await page.context().clearCookies()
    await open('/')
    await page.getByRole('article').first().waitFor()
    await read('home')
    await open('/editions/unknown')
    await read('not found')
    await open('/wallet/sign-in?token=none')
    await read('sign-in')
    await open('/wallet')
    await page.getByText(german('wallets.demoText')).first().waitFor()
    await read('wallet')
    await open('/editions/dunes-at-dusk')
    await read('product')
    await page.getByRole('button', { name: german('buy.buy') }).click()
    await page.waitForURL(/\/checkout\//)
    await page.getByText(german('wallets.demoText')).first().waitFor()
    await read('wallets')
    await page.getByText(german('wallets.demoText')).click()
    await page.getByRole('button', { name: toPattern(messages.pay) }).waitFor()
    await read('ready')
    await page.goto(`${page.url()}/panel`)
    await page.getByRole('button', { name: toPattern(messages.pay) }).waitFor()
    await read('panel')
    await page.goBack()
    await page.getByRole('button', { name: toPattern(messages.pay) }).click()
    await page.getByRole('dialog').waitFor()
    await read('the wallet asks')
    await page.getByRole('button', { name: german('wallets.confirm') }).click()
    await page.getByRole('region', { name: german('receipt.title') }).waitFor()
    await read('receipt')
    expect(problems).toEqual([])
  }))

test('behavior: Next, beside the purchase', () =>
  look('next', async (page, see) => {
    const open = (path: string) => page.goto(`${stack.storefrontUrl}${path}`)
    await open('/wallet')
    await page.getByRole('textbox', { name: 'E-mail address' }).waitFor()
    await see('wallet: signed out')
    await open('/orders')
    await page.getByRole('heading', { name: 'Orders' }).waitFor()
    await see('orders')
    await open('/sandbox/mails')
    await page.getByRole('heading', { name: 'Mailbox' }).waitFor()
    await see('mailbox')
    await open('/editions/unknown')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await see('not found')

    await shopper.openShop(page, stack.storefrontUrl)
    await shopper.chooseEdition(page, 'Dunes at Dusk')
    await shopper.buy(page, 'usdc')
    await shopper.connectDemoWallet(page)
    await shopper.payButton(page).click()
    await shopper.confirmation(page).waitFor()
    await page.reload()
    await shopper.doubt(page).waitFor()
    await see('uncertain')
    await page.goto(`${page.url()}/panel`)
    await button(page, /pay again/i).waitFor()
    await see('panel: uncertain')
  }))

/** The Vite example, built for the service of this test. */
const withVite = async (work: (url: string) => Promise<void>): Promise<void> => {
  const outDir = join(dataDir, 'vite')
  await build({
    root: join(root, 'examples/vite'),
    build: { outDir, emptyOutDir: true },
    define: {
      'import.meta.env.VITE_KASSA_BASE_URL': JSON.stringify(`${stack.serviceUrl}/api`),
      'import.meta.env.VITE_KASSA_CLIENT_KEY': JSON.stringify(stack.sandbox.clientKey),
    },
    logLevel: 'error',
  })
  const server = await serveFolder(outDir)
  try {
    await work(`${server.url}/index.html`)
  } finally {
    server.stop()
  }
}

test('behavior: Vite, from the first page to the receipt', () =>
  withVite((url) =>
    look('vite', async (page, see) => {
      await page.goto(url)
      await button(page, /^Connect/).waitFor()
      await see('home')
      await button(page, /^Connect/).click()
      await button(page, /^Buy for/).waitFor()
      await see('connected')
      await whileHeld(page, { url: '**/orders', method: 'POST' }, async () => {
        await button(page, /^Buy for/).click()
        await page.locator('button:disabled').waitFor()
        await see('buying')
      })
      await shopper.payButton(page).waitFor()
      await see('ready')
      await withoutBlocks(dataDir, 'base-sepolia', async () => {
        await shopper.payButton(page).click()
        await page.getByText('Confirming payment').first().waitFor()
        await see('sent')
      })
      await page.getByText('Delivered. Thank you').first().waitFor()
      await see('receipt')
      await page.route(`${stack.serviceUrl}/**`, (route) => route.abort())
      await button(page, 'New order').click()
      await button(page, /^Buy for/).click()
      await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
      await see('the service is away')
    }),
  ))

test.each([360, 1280])('behavior: nothing moves during a purchase, %i px', (width) =>
  withBuyer(browser, { dataDir, name: `shift-${width}` }, async (page) => {
    await page.setViewportSize({ width, height: 800 })
    await observeLayoutShifts(page.context())
    const expectStill = async (): Promise<void> => {
      // What comes late, such as a balance, moves nothing either.
      await page.waitForTimeout(600)
      const { value, moved } = await takeLayoutShifts(page)
      expect(value, moved.join('; ')).toBeLessThanOrEqual(0.02)
    }
    /** Does what a buyer does. What that moves is their doing, however long a busy machine takes for it. */
    const act = async (work: () => Promise<void>): Promise<void> => {
      await expectStill()
      await work()
      await takeLayoutShifts(page)
    }
    await shopper.openShop(page, stack.storefrontUrl)
    await act(() => shopper.chooseEdition(page, 'Dunes at Dusk'))
    await act(() => shopper.buy(page, 'eth'))
    await act(() => shopper.connectDemoWallet(page))
    await act(() => shopper.pay(page))
    await act(() => shopper.confirm(page))
    await shopper.waitForReceipt(page)
    await expectStill()
  }),
)
