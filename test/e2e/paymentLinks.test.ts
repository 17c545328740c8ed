import { join } from 'node:path'
import {
  type Client,
  createClient,
  createPaymentLink,
  getOrder,
  listOrders,
  updatePaymentLink,
} from 'kassa/api'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inviteToConsole } from '../../scripts/lib/inviteToConsole.mjs'
import { type RunningService, startService } from '../../scripts/lib/stack.mjs'
import { isChange } from '../scope.js'
import { walletName } from './helpers/announceWallet.js'
import { expectAccessible } from './helpers/axe.js'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'
import { expectNoSidewaysScroll } from './helpers/looks.js'
import { withOutsideBuyer } from './helpers/outsideBuyer.js'
import { codeOf, createPhoneWallet, scan } from './helpers/phoneWallet.js'

const dataDir = freshDataDir('payment-links')
const item = { collectionLocator: 'kassa:dunes-at-dusk' }
let running: RunningService
let browser: Browser
let client: Client

beforeAll(async () => {
  ;[running, browser] = await Promise.all([startService({ dataDir }), openBrowser()])
  client = createClient({ baseUrl: `${running.serviceUrl}/api`, apiKey: running.sandbox.serverKey })
})
afterAll(async () => {
  await browser?.close()
  await running?.stop()
})

/** Where pictures go, if any are wanted: `KASSA_PICTURES=<folder>`. */
const pictures = process.env.KASSA_PICTURES

const shoot = async (page: Page, name: string): Promise<void> => {
  if (pictures) await page.screenshot({ path: join(pictures, 'pay', `${name}.png`), fullPage: true })
}

const views = isChange
  ? ([
      { width: 360, colorScheme: 'dark' },
      { width: 1280, colorScheme: 'light' },
    ] as const)
  : [360, 768, 1280].flatMap((width) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
    )

/** Looks at a page in the state that it is in, in every view. */
const look = async (page: Page, name: string): Promise<void> => {
  for (const { width, colorScheme } of views) {
    await page.setViewportSize({ width, height: 740 })
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await shoot(page, `${name}-${width}-${colorScheme}`)
  }
  await page.setViewportSize({ width: 360, height: 740 })
}

const visit = (name: string, work: (page: Page) => Promise<void>, lang = 'en-US') =>
  withBuyer(
    browser,
    { dataDir, name, options: { locale: lang, viewport: { width: 360, height: 740 } } },
    work,
  )

/** Fails if the page's policy refused something. */
const watchPolicy = (page: Page): string[] => {
  const refused: string[] = []
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) refused.push(message.text())
  })
  return refused
}

const begin = async (page: Page, recipient: string): Promise<void> => {
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('textbox', { name: 'E-mail or wallet address' }).fill(recipient)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}

test('default: made in the console, opened by a stranger on a phone, paid, and delivered', async () => {
  let url = ''
  await visit('console', async (page) => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(await inviteToConsole(dataDir))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Payment links' }).click()
    await page.getByRole('heading', { name: 'No payment links yet' }).waitFor()
    await look(page, 'console-empty')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Create a link' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create a payment link' })
    await dialog.getByRole('combobox', { name: 'What it sells' }).selectOption('Dunes at Dusk')
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Opening night')
    await dialog.getByRole('checkbox', { name: 'No limit' }).uncheck()
    await dialog.getByRole('textbox', { name: 'Paid orders' }).fill('many')
    await dialog.getByRole('button', { name: 'Create a link' }).click()
    await dialog.getByText('whole number').waitFor()
    await look(page, 'console-dialog')
    await page.setViewportSize({ width: 1280, height: 800 })
    await dialog.getByRole('textbox', { name: 'Paid orders' }).fill('1')
    await dialog.getByRole('textbox', { name: 'Page after the purchase' }).fill('https://evil.example/')
    await dialog.getByRole('button', { name: 'Create a link' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'successUrl: expected a page' }).waitFor()
    await dialog
      .getByRole('textbox', { name: 'Page after the purchase' })
      .fill(`${running.storefrontUrl}/done`)
    await dialog.getByRole('button', { name: 'Create a link' }).click()
    const made = page.getByRole('dialog', { name: 'The link is ready' })
    url = await made.getByRole('textbox', { name: 'Link' }).inputValue()
    await made.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Opening night', exact: true }).waitFor()
    await look(page, 'console-list')
  })

  await withOutsideBuyer(
    browser,
    { serviceUrl: running.serviceUrl, dataDir, name: 'stranger' },
    async ({ page, wallet }) => {
      const refused = watchPolicy(page)
      await page.goto(url)
      await page.getByRole('heading', { name: 'Opening night' }).waitFor()
      await look(page, 'start')
      const [payer = ''] = wallet.payers
      await begin(page, payer)
      await page.getByRole('button', { name: new RegExp(walletName) }).click()
      const pay = page.getByRole('button', { name: /^Pay \S*\d/ })
      await pay.waitFor()
      await look(page, 'pay')
      await page.reload()
      await pay.waitFor()
      await pay.click()
      await (await wallet.asks.next()).approve()
      const toShop = page.getByRole('link', { name: 'Continue to the shop' })
      await toShop.waitFor()
      await look(page, 'delivered')
      const { data } = await listOrders(client, { limit: 1 })
      const orderId = data[0]?.orderId ?? ''
      expect(await toShop.getAttribute('href')).toBe(`${running.storefrontUrl}/done?orderId=${orderId}`)
      expect((await getOrder(client, { orderId })).lineItems[0]?.delivery.status).toBe('completed')
      // The secret of the order is not in the address.
      expect(page.url()).toBe(url)
      await page.reload()
      await toShop.waitFor()
      expect(refused).toEqual([])
    },
  )

  await visit('used-up', async (page) => {
    expect((await page.goto(url))?.status()).toBe(410)
    await page.getByText('This payment link is used up.').waitFor()
    await look(page, 'used-up')
  })
})

test.each([
  ['eth', undefined],
  ['usdc', { method: 'base-sepolia', currency: 'usdc' } as const],
])('behavior: paid in %s by a phone that scans the code, two at once', async (currency, payment) => {
  const { url } = await createPaymentLink(client, {
    body: { lineItems: item, maxQuantity: 3, ...(payment && { payment }) },
  })
  const phone = await createPhoneWallet(running, 'base-sepolia')
  await visit(`code-${currency}`, async (page) => {
    await page.goto(url)
    await page.getByRole('combobox', { name: 'Quantity' }).selectOption('2')
    await begin(page, 'ada@example.com')
    await page.getByText('Pay from another').click()
    await codeOf(page).waitFor()
    await look(page, `code-${currency}`)
    await phone.pay(await scan(codeOf(page)))
    await page.getByText('Delivered. Thank you').waitFor()
    await page.getByRole('button', { name: 'New order' }).click()
    await page.getByRole('button', { name: 'Continue to payment' }).waitFor()
  })
})

test('behavior: at the till, paid by a phone, and the next customer', async () => {
  const { url } = await createPaymentLink(client, { body: { lineItems: item } })
  const phone = await createPhoneWallet(running, 'base-sepolia')
  await visit('till', async (page) => {
    await page.goto(`${url}?view=till`)
    await page.getByRole('button', { name: 'Continue to payment' }).waitFor()
    await look(page, 'till-start')
    await begin(page, 'grace@example.com')
    await codeOf(page).waitFor()
    await look(page, 'till-code')
    const code = await codeOf(page).boundingBox()
    expect(code?.width).toBeGreaterThan(250)
    await phone.pay(await scan(codeOf(page)))
    await page
      .getByRole('status')
      .filter({ hasText: /^Paid$/ })
      .waitFor()
    await look(page, 'till-paid')
    await page.reload()
    await page.getByRole('button', { name: 'Next customer' }).click()
    await page.getByRole('button', { name: 'Continue to payment' }).waitFor()
  })
})

test('behavior: a link that sells nothing says why, with its status', async () => {
  const { url, paymentLinkId } = await createPaymentLink(client, { body: { lineItems: item } })
  await updatePaymentLink(client, { paymentLinkId, body: { status: 'deactivated' } })
  await visit('closed', async (page) => {
    expect((await page.goto(url))?.status()).toBe(410)
    await page.getByText('This payment link is no longer active.').waitFor()
    await look(page, 'deactivated')
    expect((await page.goto(`${running.serviceUrl}/pay/pl_AAAAAAAAAAAAAAAAAAAAAAAA`))?.status()).toBe(404)
    await page.getByText('This payment link does not exist.').waitFor()
    await look(page, 'missing')
  })
})

test('behavior: in the language of the browser, or of the address', async () => {
  const { url } = await createPaymentLink(client, { body: { lineItems: item } })
  const open = async (page: Page, path: string, words: string) => {
    await page.goto(`${url}${path}`)
    await page.getByRole('button', { name: words }).waitFor()
    await expectNoSidewaysScroll(page)
  }
  await visit(
    'language',
    async (page) => {
      await open(page, '', 'Weiter zur Zahlung')
      expect(await page.locator('html').getAttribute('lang')).toBe('de-DE')
      await page.getByRole('button', { name: 'Weiter zur Zahlung' }).click()
      await page.getByText('Für wen ist').waitFor()
    },
    'de-AT',
  )
  await visit('address', (page) => open(page, '?lang=ja', '支払いに進む'))
})

test('behavior: it unfurls, prints, and no other site shows it in a frame', async () => {
  const title = '<b>Night & Day</b> "$&"'
  const { url } = await createPaymentLink(client, { body: { lineItems: item, title } })
  const response = await fetch(url)
  const html = await response.text()
  expect(html).toContain(
    '<meta property="og:title" content="&lt;b&gt;Night &amp; Day&lt;/b&gt; &quot;$&amp;&quot;">',
  )
  expect(html).toContain(`<meta property="og:url" content="${url}">`)
  expect(html).not.toContain('<b>Night')
  expect(/<meta property="og:image" content="(http[^"]+)"/.exec(html)?.[1]).toBeDefined()
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(response.headers.get('x-frame-options')).toBe('DENY')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  await visit('print', async (page) => {
    await page.goto(url)
    await page.getByRole('heading', { name: title }).waitFor()
    await page.emulateMedia({ media: 'print' })
    const code = page.locator('.sheet svg')
    expect(await scan(code)).toBe(url)
    expect(await page.getByText(url).isVisible()).toBe(true)
    expect(await page.getByRole('button').count()).toBe(0)
    await shoot(page, 'print')
  })
})
