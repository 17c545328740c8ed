import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  cancelShipment,
  createApiKey,
  createShipment,
  createWebhookEndpoint,
  listRefunds,
  sendTestEvent,
} from 'kassa/api'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inviteToConsole } from '../../scripts/lib/inviteToConsole.mjs'
import { type RunningService, startService } from '../../scripts/lib/stack.mjs'
import { startMailServer } from '../../service/test/helpers/startMailServer.js'
import { type Receiver, startReceiver } from '../../service/test/helpers/startReceiver.js'
import { isChange } from '../scope.js'
import { expectAccessible } from './helpers/axe.js'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { openShop } from './helpers/consoleShop.js'
import { freshDataDir } from './helpers/dataDir.js'
import { expectFocus, pressAt, tabTo } from './helpers/keyboard.js'
import { expectNoSidewaysScroll } from './helpers/looks.js'
import { addPasskeys } from './helpers/passkeys.js'

const dataDir = freshDataDir('console')
let mailServer: Awaited<ReturnType<typeof startMailServer>>
let receiver: Receiver
let running: RunningService
let browser: Browser
/** The console of the owner who invites everyone else. */
let owner: Page
/** The webhook endpoint, and the event that it received. */
let webhook: { endpointId: string; eventId: string }
/** The orders, by what became of them. */
let orders: Record<'shipped' | 'cart' | 'held' | 'unpaid' | 'parcel', string>

const dunes = { collectionLocator: 'kassa:dunes-at-dusk' }
const coral = { collectionLocator: 'kassa:coral-lattice' }
const physicalAddress = {
  name: 'Ada Lovelace',
  line1: '12 St James’s Square',
  city: 'London',
  postalCode: 'SW1Y 4LB',
  country: 'GB',
}

beforeAll(async () => {
  mailServer = await startMailServer()
  receiver = await startReceiver()
  const env = { KASSA_SMTP_URL: mailServer.url, KASSA_MAIL_FROM: 'shop@example.com' }
  ;[running, browser] = await Promise.all([startService({ dataDir, env }), openBrowser()])
  const shop = openShop(running)
  await shop.fund()
  const shipped = await shop.buy([dunes], {
    recipient: { email: 'ada@example.com', physicalAddress },
    metadata: { campaign: 'autumn', cart: 4711 },
  })
  const cart = await shop.buy(
    [{ ...dunes, callData: { quantity: 2 } }, coral],
    { recipient: { email: 'grace@example.com' } },
    { currency: 'usdc' },
  )
  const held = await shop.buy([dunes], { recipient: { email: 'alan@example.com' } }, { capture: 'manual' })
  const walletAddress = '0x6dA473049C882f65634FB3D32681E21212Ff6dDe'
  const unpaid = await shop.order([coral], { recipient: { walletAddress } })
  await shop.order([dunes])
  const recipient = { email: 'mary@example.com', physicalAddress }
  const parcel = await shop.buy([dunes, coral], { recipient })
  const body = { carrier: 'DHL', trackingNumber: '00340434161094042557', lineItems: [{ index: 1 }] }
  const wrong = await createShipment(shop.client, { orderId: parcel, body: { ...body, carrier: 'DPD' } })
  const reason = 'The label was printed for another order'
  await cancelShipment(shop.client, { orderId: parcel, shipmentId: wrong.shipmentId, body: { reason } })
  const trackingUrl = 'https://carrier.example/parcels/00340434161094042557'
  await createShipment(shop.client, { orderId: parcel, body: { ...body, trackingUrl } })
  orders = { shipped, cart, held, unpaid: unpaid.orderId, parcel }
  const { client } = shop
  await createApiKey(client, { body: { name: 'Fulfilment', scopes: ['orders.read', 'nfts.create'] } })
  await createApiKey(client, {
    body: { name: 'Shop pages', kind: 'client', origins: ['https://shop.example'] },
  })
  const { endpointId } = await createWebhookEndpoint(client, {
    body: { url: receiver.url, eventTypes: ['orders.payment.succeeded', 'orders.delivery.completed'] },
  })
  const { eventId } = await sendTestEvent(client, { endpointId })
  webhook = { endpointId, eventId }
  owner = await (await browser.newContext()).newPage()
  await enter(owner, await inviteToConsole(dataDir))
})
afterAll(async () => {
  await browser?.close()
  await running?.stop()
  await mailServer?.close()
  await receiver?.close()
})

const visit = (name: string, work: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) =>
  withBuyer(browser, { dataDir, name, options }, async (page) => {
    const refused: string[] = []
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) refused.push(message.text())
    })
    await work(page)
    expect(refused).toEqual([])
  })

const open = (page: Page, path: string) => page.goto(`${running.serviceUrl}/console${path}`)

/** Opens an account by the link of an invitation. */
const enter = async (page: Page, link: string): Promise<void> => {
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
}

/** The sessions of those who are known by their role alone. A network may sign in 20 times a minute. */
const sessions = new Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>()

const signIn = async (page: Page, role: string, email?: string): Promise<void> => {
  const session = email ? undefined : sessions.get(role)
  if (session) {
    await page.context().addCookies(session)
    await open(page, '')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    return
  }
  const { link } = await owner.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      return await (await fetch('/console/members/invitations', init)).json()
    },
    { role, email },
  )
  await enter(page, link)
  if (!email) sessions.set(role, await page.context().cookies())
}

test('default: by keyboard, from the link to the entry of the audit log', () =>
  visit('keyboard', async (page) => {
    await page.goto(await inviteToConsole(dataDir, { email: 'owner@example.com' }))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await pressAt(page, page.getByRole('button', { name: 'Sign in' }))
    await expectFocus(page, page.getByRole('heading', { name: 'Overview' }))
    // The secret is neither in the address nor in the history, and no script reads the session.
    expect(page.url()).toBe(`${running.serviceUrl}/console/`)
    expect(await page.evaluate(() => document.cookie)).toBe('')

    await tabTo(page, page.getByRole('link', { name: 'Orders', exact: true }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expectFocus(page, page.getByRole('heading', { name: 'Orders' }))
    await tabTo(page, page.getByRole('searchbox', { name: 'Search orders' }))
    await page.keyboard.type('Ada@Example.com')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await pressAt(page, page.getByRole('link', { name: 'Dunes at Dusk' }))
    await expectFocus(page, page.getByRole('heading', { name: /^Order / }))
    expect(page.url()).toContain(orders.shipped)

    await pressAt(page, page.getByRole('button', { name: 'Refund' }))
    await page.getByRole('dialog', { name: 'Refund the buyer' }).waitFor()
    await tabTo(page, page.getByRole('textbox', { name: 'Reason (optional)' }))
    await page.keyboard.type('The frame was damaged')
    await pressAt(page, page.getByRole('button', { name: 'Continue' }))
    await page.getByText('goes back to the payer on Base Sepolia').waitFor()
    // A second Enter, or a key held down, refunds nothing.
    await expectFocus(page, page.getByRole('dialog').getByRole('list'))
    await page.keyboard.press('Enter')
    await pressAt(page, page.getByRole('button', { name: 'Refund 0.012 ETH' }))
    await page.getByText('0.012 ETH is on its way to the buyer.').waitFor()
    await page.getByText('The frame was damaged').waitFor()
    await page.locator('.title-line').getByText('Refunded').waitFor()

    await tabTo(page, page.getByRole('link', { name: 'Audit log' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    const entry = page.getByRole('row', { name: /Refunded an order/ })
    await entry.getByText('owner@example.com').filter({ visible: true }).waitFor()
    await entry.getByText('Succeeded').waitFor()
    await pressAt(page, entry.getByRole('link', { name: /^Order / }).filter({ visible: true }))
    await page.getByRole('heading', { name: /^Order / }).waitFor()
    expect(page.url()).toContain(orders.shipped)

    await tabTo(page, page.getByRole('button', { name: 'Account: owner@example.com' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expectFocus(page, page.getByRole('menuitem', { name: 'Your account' }))
    await page.keyboard.press('ArrowDown')
    await expectFocus(page, page.getByRole('menuitem', { name: 'Sign out' }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.evaluate(async () => (await fetch('/api/2022-06-09/orders')).status)).toBe(401)
  }))

test('behavior: an order is shipped, and the shipment is taken back', () =>
  visit('ship', async (page) => {
    await signIn(page, 'support')
    await open(page, `/orders/${orders.parcel}`)
    await page.getByText('1 line item to ship.').waitFor()
    await page.getByRole('button', { name: 'Ship', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Mark as shipped' })
    await dialog.getByRole('textbox', { name: 'Tracking page' }).fill('http://carrier.example')
    const confirm = dialog.getByRole('button', { name: 'Mark 1 line item as shipped' })
    await confirm.click()
    await dialog.getByText('Enter the name of the carrier.').waitFor()
    await dialog.getByRole('textbox', { name: 'Carrier' }).fill('Royal Mail')
    await confirm.click()
    await dialog.getByText('starts with https://').waitFor()
    await dialog.getByRole('textbox', { name: 'Tracking page' }).fill('https://carrier.example/42')
    await dialog.getByRole('textbox', { name: 'Tracking number' }).fill('RM 4242 4242 4GB')
    await confirm.dblclick()
    await page.getByText('The parcel is marked as shipped.').waitFor()
    const link = page.getByRole('link', { name: 'RM 4242 4242 4GB' })
    expect(await link.getAttribute('href')).toBe('https://carrier.example/42')
    expect(await page.getByRole('button', { name: 'Ship', exact: true }).count()).toBe(0)
    const findMail = (subject: string) =>
      mailServer.received.find(({ to, message }) => {
        return to.includes('mary@example.com') && (message.headers.get('subject') ?? '').includes(subject)
      })
    await expect.poll(() => findMail('has shipped')).toBeDefined()
    await page.getByRole('button', { name: 'Take back the shipment with Royal Mail' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('Still in the shop')
    await page.getByRole('button', { name: 'Take it back' }).click()
    await page.getByText('The shipment is taken back.').waitFor()
    await page.getByText('Still in the shop').waitFor()
    await page.getByRole('button', { name: 'Ship', exact: true }).waitFor()
    await expect.poll(() => findMail('Correction')).toBeDefined()
  }))

test('behavior: the list is turned round and exported with its filters', () =>
  visit('export', async (page) => {
    await signIn(page, 'viewer')
    await open(page, '/orders')
    const first = () => page.locator('tbody tr').first().innerText()
    await page.locator('tbody tr').nth(4).waitFor()
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Oldest first')
    await expect.poll(first).toContain('ada@example.com')
    await page.getByRole('link', { name: 'Completed' }).click()
    await expect.poll(() => page.locator('tbody tr').count()).toBeLessThan(5)
    expect(page.url()).toContain('sort=oldest')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export CSV' }).click()
    const file = await (await download).path()
    const rows = readFileSync(file, 'utf8').trim().split('\r\n')
    expect((await download).suggestedFilename()).toBe('orders.csv')
    expect(rows.length - 1).toBe(await page.locator('tbody tr').count())
    expect(rows[1]).toContain(`${orders.shipped},`)
  }))

/** Every page, with what shows that it is complete. */
const pages: [name: string, path: () => string, complete: (page: Page) => Promise<unknown>][] = [
  ['home', () => '', (page) => page.locator('tbody tr').nth(4).waitFor()],
  ['orders', () => '/orders', (page) => page.locator('tbody tr').nth(4).waitFor()],
  ['empty', () => '/orders?search=nobody@example.com', (page) => page.getByText('No orders match').waitFor()],
  ['order', () => `/orders/${orders.cart}`, (page) => page.getByText('Order created').waitFor()],
  ['refunded', () => `/orders/${orders.shipped}`, (page) => page.getByText('Order created').waitFor()],
  ['held', () => `/orders/${orders.held}`, (page) => page.getByText('Order created').waitFor()],
  ['parcel', () => `/orders/${orders.parcel}`, (page) => page.getByText('Order created').waitFor()],
  ['unpaid', () => `/orders/${orders.unpaid}`, (page) => page.getByText('Order created').waitFor()],
  [
    'collections',
    () => '/collections',
    (page) => page.getByRole('link', { name: 'Dunes at Dusk' }).waitFor(),
  ],
  ['collection', () => '/collections/dunes-at-dusk', (page) => page.locator('tbody tr').nth(1).waitFor()],
  [
    'payment-links',
    () => '/payment-links',
    (page) => page.getByRole('heading', { name: 'No payment links yet' }).waitFor(),
  ],
  [
    'developers',
    () => '/developers',
    async (page) => {
      await page.getByText('Fulfilment').waitFor()
      await page.getByRole('link', { name: receiver.url }).first().waitFor()
    },
  ],
  [
    'endpoint',
    () => `/developers/webhooks/${webhook.endpointId}`,
    (page) => page.getByRole('link', { name: 'webhooks.test' }).first().waitFor(),
  ],
  [
    'event',
    () => `/developers/webhooks/${webhook.endpointId}/events/${webhook.eventId}`,
    (page) => page.getByText('It arrived').waitFor(),
  ],
  ['audit', () => '/audit-log', (page) => page.locator('tbody tr').first().waitFor()],
  ['team', () => '/team', (page) => page.locator('tbody tr').first().waitFor()],
  ['settings', () => '/settings', (page) => page.getByText('This session').waitFor()],
  [
    'missing',
    () => '/orders/00000000-0000-4000-8000-000000000000',
    (page) => page.getByRole('alert').waitFor(),
  ],
]

/** Where pictures go, if any are wanted: `KASSA_PICTURES=<folder>`. */
const pictures = process.env.KASSA_PICTURES

/** Draws a page as it is now, if pictures are wanted. */
const shoot = async (page: Page, name: string): Promise<void> => {
  if (pictures) await page.screenshot({ path: join(pictures, 'console', `${name}.png`), fullPage: true })
}

/** The views of a page in which it is searched for faults: a change has to pass two of them, a release all. */
const views = isChange
  ? ([
      { width: 360, colorScheme: 'dark' },
      { width: 1440, colorScheme: 'light' },
    ] as const)
  : [360, 768, 1440].flatMap((width) =>
      (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
    )

/** Looks at a page in the state that it is in, in every view. */
const look = async (page: Page, name: string): Promise<void> => {
  for (const { width, colorScheme } of views) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await shoot(page, `${name}-${width}-${colorScheme}`)
  }
  await page.setViewportSize({ width: 768, height: 900 })
  await expectNoSidewaysScroll(page)
}

test('parameters: every page, narrow and wide, light and dark', () =>
  visit('pages', async (page) => {
    await open(page, '')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await look(page, 'sign-in')
    await signIn(page, 'owner')
    for (const [name, path, complete] of pages) {
      await open(page, path())
      await complete(page)
      await look(page, name)
    }
  }))

test('behavior: dialogs, narrow and wide, light and dark', () =>
  visit('dialogs', async (page) => {
    await signIn(page, 'owner')
    await open(page, `/orders/${orders.cart}`)
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.getByRole('radio', { name: 'Some line items' }).check()
    await look(page, 'refund')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').getByText('Choose at least one line item.').waitFor()
    await page.getByRole('checkbox').first().check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Refund 1 line item' }).waitFor()
    await page.getByText('Base Sepolia: Dunes at Dusk × 2 (72.00 USDC).').waitFor()
    await look(page, 'check')
    await open(page, `/orders/${orders.parcel}`)
    await page.getByRole('button', { name: 'Ship', exact: true }).click()
    await page.getByRole('button', { name: 'Mark 1 line item as shipped' }).click()
    await page.getByText('Enter the name of the carrier.').waitFor()
    await look(page, 'ship')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Take back the shipment with DHL' }).click()
    await page.getByText('Take this shipment back?').waitFor()
    await look(page, 'take-back')
    await page.setViewportSize({ width: 360, height: 800 })
    await open(page, '/orders')
    await page.getByRole('button', { name: 'Open the menu' }).click()
    await page.getByRole('dialog', { name: 'Main' }).waitFor()
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
      await shoot(page, `menu-360-${colorScheme}`)
    }
    await page.getByRole('dialog').getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }))

test('behavior: by keyboard, a key and a webhook endpoint, a test event, and the event again', () =>
  visit('developers', async (page) => {
    await signIn(page, 'owner', 'developer@example.com')
    await tabTo(page, page.getByRole('link', { name: 'Developers' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expectFocus(page, page.getByRole('heading', { name: 'Developers' }))

    await pressAt(page, page.getByRole('button', { name: 'Create a key' }))
    const dialog = page.getByRole('dialog')
    await expectFocus(page, dialog.getByRole('textbox', { name: 'Name' }))
    await page.keyboard.type('Till')
    await tabTo(page, dialog.getByRole('checkbox', { name: 'nfts.create' }))
    await page.keyboard.press('Space')
    await expectAccessible(page)
    await shoot(page, 'create-key')
    await pressAt(page, dialog.getByRole('button', { name: 'Create a key' }))
    const shown = dialog.getByRole('textbox', { name: 'Key' })
    await expectFocus(page, shown)
    const key = await shown.inputValue()
    expect(key).toMatch(/^sk_staging_/)
    await expectAccessible(page)
    const asked = (apiKey: string) =>
      fetch(`${running.serviceUrl}/api/2022-06-09/orders`, { headers: { 'x-api-key': apiKey } })
    expect((await asked(key)).status).toBe(200)
    await pressAt(page, dialog.getByRole('button', { name: 'Done' }))
    await page.getByRole('row', { name: /^Till/ }).waitFor()
    // It is on no page any more.
    await page.reload()
    await page.getByRole('row', { name: /^Till/ }).waitFor()
    expect(await page.content()).not.toContain(key)

    await pressAt(page, page.getByRole('button', { name: 'Revoke Till' }))
    await page.getByRole('dialog', { name: 'Revoke Till?' }).getByText('nfts.create').waitFor()
    await expectAccessible(page)
    await pressAt(page, page.getByRole('button', { name: 'Revoke the key' }))
    await page.getByText('Key revoked: Till').waitFor()
    await expectFocus(page, page.getByRole('heading', { name: 'API keys' }))
    expect((await asked(key)).status).toBe(401)

    await pressAt(page, page.getByRole('button', { name: 'Add an endpoint' }))
    const url = dialog.getByRole('textbox', { name: 'URL' })
    await expectFocus(page, url)
    await page.keyboard.type('hook')
    await page.keyboard.press('Enter')
    await dialog.getByText('url: expected an http or https URL').waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.type(`${receiver.url}?by=keyboard`)
    await expectAccessible(page)
    await shoot(page, 'create-endpoint')
    await page.keyboard.press('Enter')
    const secret = dialog.getByRole('textbox', { name: 'Signing secret' })
    await expectFocus(page, secret)
    expect(await secret.inputValue()).toMatch(/^whsec_/)
    await pressAt(page, dialog.getByRole('button', { name: 'Done' }))
    await pressAt(page, page.getByRole('link', { name: '?by=keyboard' }))
    const { host } = new URL(receiver.url)
    await page.getByRole('heading', { name: host }).waitFor()
    await expectFocus(page, page.getByRole('heading', { level: 1 }))

    const arrived = () => receiver.received.filter(({ path }) => path.endsWith('?by=keyboard'))
    await pressAt(page, page.getByRole('button', { name: 'Send a test event' }))
    await page.getByText('The test event is on its way.').waitFor()
    await expect.poll(() => arrived().length).toBe(1)
    await page.getByRole('row', { name: /webhooks\.test .*Delivered/ }).waitFor()
    await pressAt(page, page.getByRole('link', { name: 'webhooks.test' }))
    await page.getByText('It arrived').waitFor()
    await pressAt(page, page.getByRole('button', { name: 'Send again' }))
    await page.getByText('The event is on its way again.').waitFor()
    await expect.poll(() => arrived().length).toBe(2)
    const [first, second] = arrived()
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    await expect.poll(() => page.getByText('It arrived').count()).toBe(2)

    await page.goBack()
    await pressAt(page, page.getByRole('button', { name: 'Remove', exact: true }))
    await pressAt(page, dialog.getByRole('button', { name: 'Remove the endpoint' }))
    await page.getByText('Endpoint removed').waitFor()
  }))

test('behavior: by keyboard, a collection is created, changed, and a token of it minted', () =>
  visit('collection', async (page) => {
    await signIn(page, 'operator')
    await tabTo(page, page.getByRole('link', { name: 'Collections' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expectFocus(page, page.getByRole('heading', { name: 'Collections' }))
    await pressAt(page, page.getByRole('button', { name: 'Create a collection' }))
    const dialog = page.getByRole('dialog')
    await expectFocus(page, dialog.getByRole('textbox', { name: 'Name' }))
    await page.keyboard.type('Harbour Lights')
    await tabTo(page, dialog.getByRole('combobox', { name: 'Chain' }))
    await page.keyboard.type('Base Sepolia')
    await tabTo(page, dialog.getByRole('textbox', { name: 'Price' }))
    await page.keyboard.type('cheap')
    await tabTo(page, dialog.getByRole('textbox', { name: 'Supply limit' }))
    await page.keyboard.type('50')
    await page.keyboard.press('Enter')
    await dialog.getByText('Enter an amount such as 1,000.5, or choose “Not for sale”.').waitFor()
    await expectFocus(page, dialog.getByRole('textbox', { name: 'Price' }))
    await page.keyboard.press('Control+A')
    await page.keyboard.type('0.02')
    await expectAccessible(page)
    await shoot(page, 'create-collection')
    await page.keyboard.press('Enter')
    await expectFocus(page, page.getByRole('heading', { level: 1 }))
    await page.getByRole('heading', { name: 'Harbour Lights' }).waitFor()
    await page.getByText('0 of 50 minted').waitFor()
    await page.getByText('0.02 ETH').waitFor()

    await pressAt(page, page.getByRole('button', { name: 'Edit', exact: true }))
    await tabTo(page, dialog.getByRole('textbox', { name: 'Price in ETH' }))
    await page.keyboard.press('Control+A')
    await page.keyboard.type('0.03')
    await expectAccessible(page)
    await pressAt(page, dialog.getByRole('button', { name: 'Save' }))
    await page.getByText('0.03 ETH').waitFor()

    await pressAt(page, page.getByRole('button', { name: 'Edit the rules' }))
    await dialog.getByRole('textbox', { name: 'Per wallet' }).focus()
    await page.keyboard.type('2')
    await pressAt(page, dialog.getByRole('button', { name: 'Add a phase' }))
    const phase = dialog.getByRole('group', { name: 'Phase 1' })
    await phase.getByRole('textbox', { name: 'Name' }).focus()
    await page.keyboard.type('Members')
    await phase.getByRole('combobox', { name: 'Who may buy' }).selectOption('A list of wallets')
    await pressAt(page, dialog.getByRole('button', { name: 'Add a code' }))
    const code = dialog.getByRole('group', { name: 'Code 1' })
    await code.getByRole('textbox', { name: 'Code' }).fill('SPRING')
    await code.getByRole('textbox', { name: 'Discount' }).fill('25')
    await pressAt(page, dialog.getByRole('button', { name: 'Save the rules' }))
    await dialog.getByText('Enter at least one wallet address.').waitFor()
    await phase
      .getByRole('textbox', { name: 'Wallets' })
      .fill('0x70997970C51812dc3A010C7d01b50e0d17dc79C8\n0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC')
    await expectAccessible(page)
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 720 })
      await shoot(page, `sale-${width}`)
      const spare = await dialog.evaluate((element) => element.clientWidth - element.scrollWidth)
      expect(spare).toBeGreaterThanOrEqual(0)
    }
    await pressAt(page, dialog.getByRole('button', { name: 'Save the rules' }))
    await page.getByText('2 per wallet').waitFor()
    await page.getByText('SPRING').waitFor()
    await expectFocus(page, page.getByRole('button', { name: 'Edit the rules' }))
    await page.keyboard.press('Enter')
    await dialog.getByText('2 wallets are stored').waitFor()
    // A part of a date is no date, and does not vanish.
    const ends = dialog.getByLabel('Ends', { exact: true }).first()
    await ends.focus()
    await page.keyboard.type('12')
    await page.keyboard.press('Enter')
    await dialog.getByText(/^Enter a full date and time/).waitFor()
    await page.keyboard.press('Shift+Tab')
    await ends.focus()
    await page.keyboard.press('Backspace')
    await dialog.getByRole('textbox', { name: 'Per payer' }).fill('2 per person')
    await page.keyboard.press('Escape')
    const question = page.getByRole('alertdialog', { name: 'Throw away what you entered?' })
    await shoot(page, 'discard')
    await pressAt(page, question.getByRole('button', { name: 'Keep editing' }))
    await question.waitFor({ state: 'detached' })
    await dialog.getByRole('textbox', { name: 'Per payer' }).fill('1,000')
    await pressAt(page, dialog.getByRole('button', { name: 'Remove code 1' }))
    await expectFocus(page, dialog.getByRole('button', { name: 'Add a code' }))
    await pressAt(page, dialog.getByRole('button', { name: 'Save the rules' }))
    await page.getByText('SPRING').waitFor({ state: 'detached' })
    await page.getByText('Members').waitFor()

    await tabTo(page, page.getByRole('button', { name: 'Mint a token' }), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expectFocus(page, dialog.getByRole('textbox', { name: 'E-mail address or wallet address' }))
    await page.keyboard.type('mary@example.com')
    await tabTo(page, dialog.getByRole('textbox', { name: 'Picture' }))
    await page.keyboard.type('ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy')
    await pressAt(page, dialog.getByRole('button', { name: 'Mint a token' }))
    await page.getByText('The token is on its way.').waitFor()
    await page.getByRole('row', { name: /Harbour Lights .*Minted$/ }).waitFor()
    await page.reload()
    await page.getByText('1 of 50 minted').waitFor()
  }))

test('behavior: a first day: a key, a collection, a sale, a purchase, its refund, and what others hear of it', () =>
  visit('first-day', async (page) => {
    await signIn(page, 'owner', 'first@example.com')
    const dialog = page.getByRole('dialog')
    await open(page, '/developers')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('First shop')
    await dialog.getByRole('checkbox', { name: 'orders.create' }).check()
    await dialog.getByRole('checkbox', { name: 'orders.read' }).check()
    await dialog.getByRole('button', { name: 'Create a key' }).click()
    const shop = openShop(running, await dialog.getByRole('textbox', { name: 'Key' }).inputValue())
    await shop.fund()

    await open(page, '/collections')
    await page.getByRole('button', { name: 'Create a collection' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('First Light')
    const buffer = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')
    await dialog
      .getByLabel('Or a file')
      .setInputFiles({ name: 'light.svg', mimeType: 'image/svg+xml', buffer })
    await dialog.getByRole('combobox', { name: 'Chain' }).selectOption('Base Sepolia')
    await dialog.getByRole('textbox', { name: 'Price' }).fill('0.04')
    await dialog.getByRole('button', { name: 'Create a collection' }).click()
    await page.getByRole('heading', { name: 'First Light' }).waitFor()
    const light = { collectionLocator: `kassa:${page.url().split('/').at(-1)}` }
    await page.getByRole('button', { name: 'Edit the rules' }).click()
    await dialog.getByRole('button', { name: 'Add a phase' }).click()
    const phase = dialog.getByRole('group', { name: 'Phase 1' })
    await phase.getByRole('textbox', { name: 'Name' }).fill('Friends')
    await phase.getByRole('combobox', { name: 'Who may buy' }).selectOption('A list of wallets')
    await phase.getByRole('textbox', { name: 'Wallets' }).fill(shop.address)
    await dialog.getByRole('button', { name: 'Add a code' }).click()
    const code = dialog.getByRole('group', { name: 'Code 1' })
    await code.getByRole('textbox', { name: 'Code' }).fill('DAWN')
    await code.getByRole('textbox', { name: 'Discount' }).fill('25')
    await dialog.getByRole('button', { name: 'Save the rules' }).click()
    await page.getByText('DAWN').waitFor()

    const stranger = await shop.order([light], { recipient: { walletAddress: `0x${'5'.repeat(40)}` } })
    expect(stranger.lineItems[0]?.quote).toMatchObject({
      status: 'item-unavailable',
      unavailabilityReason: { code: 'not-in-phase' },
    })
    const details = { recipient: { walletAddress: shop.address }, promotionCode: 'dawn' }
    const orderId = await shop.buy([light], details, { receiptEmail: 'radia@example.com' })

    await open(page, '/orders')
    await page.getByRole('searchbox', { name: 'Search orders' }).fill('radia@example.com')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await page.getByRole('link', { name: 'First Light' }).click()
    await page.getByText('Order created').waitFor()
    expect(page.url()).toContain(orderId)
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Refund 0.03 ETH' }).click()
    await page.getByText('0.03 ETH is on its way to the buyer.').waitFor()
    const mailed = () => mailServer.received.filter(({ to }) => to.includes('radia@example.com'))
    await expect
      .poll(() => mailed().map(({ message }) => message.headers.get('subject')))
      .toContainEqual(expect.stringMatching(/refund/i))

    const heard = () =>
      receiver.received.filter(
        ({ body }) => body.includes(orderId) && body.includes('orders.payment.succeeded'),
      )
    await expect.poll(() => heard().length).toBe(1)
    await page.getByRole('button', { name: 'Send again: webhook orders.payment.succeeded' }).click()
    await expect.poll(() => heard().length).toBe(2)
    const [first, second] = heard()
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  }))

test('behavior: each role sees what it may do', () =>
  visit('roles', async (page) => {
    await signIn(page, 'viewer')
    const names = () => page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()
    expect(await names()).toEqual(['Overview', 'Orders', 'Collections', 'Payment links'])
    for (const orderId of [orders.cart, orders.held]) {
      await open(page, `/orders/${orderId}`)
      await page.getByText('Order created').waitFor()
      for (const name of ['Refund', 'Capture', 'Void', 'Send again']) {
        expect(await page.getByRole('button', { name }).count()).toBe(0)
      }
    }
    await open(page, '/audit-log')
    await page.getByRole('heading', { name: 'Your role does not include this page' }).waitFor()
    await open(page, '/developers')
    await page.getByRole('heading', { name: 'Your role does not include this page' }).waitFor()

    await signIn(page, 'operator')
    await open(page, '/developers')
    await page.getByRole('button', { name: 'Add an endpoint' }).waitFor()
    expect(await page.getByRole('heading', { name: 'API keys' }).count()).toBe(0)

    await signIn(page, 'support')
    await open(page, `/orders/${orders.cart}`)
    await page.getByRole('button', { name: 'Refund' }).waitFor()
    await page
      .getByRole('button', { name: /^Send again/ })
      .first()
      .click()
    await page.getByText('The e-mail is on its way to grace@example.com.').waitFor()
    await open(page, `/orders/${orders.held}`)
    await page.getByText('Order created').waitFor()
    expect(await page.getByRole('button', { name: 'Capture' }).count()).toBe(0)
  }))

test('behavior: a payment is voided once its consequences are confirmed, and an amount is refunded', () =>
  visit('void', async (page) => {
    await signIn(page, 'operator')
    await open(page, `/orders/${orders.held}`)
    await page.getByRole('button', { name: 'Void' }).click()
    await page.getByText('0.012 ETH goes back to the payer in full').waitFor()
    await page.getByRole('button', { name: 'Void the payment' }).click()
    await page.getByText('The payment is voided.').waitFor()
    await page.locator('.title-line').getByText('Voided').waitFor()
    await page.getByText('Voided by the shop').waitFor()

    await open(page, `/orders/${orders.cart}`)
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.getByRole('radio', { name: 'An amount' }).check()
    const amount = page.getByRole('textbox', { name: 'Amount in USDC' })
    await amount.fill('9999')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(/^Enter more than 0 and at most .*\.$/).waitFor()
    await amount.fill('1.5')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Refund 1.50 USDC' }).dblclick()
    await page.getByText('1.50 USDC is on its way to the buyer.').waitFor()
    // Pressed twice, it was refunded once.
    const { data } = await listRefunds(openShop(running).client, { orderId: orders.cart })
    expect(data).toMatchObject([{ amount: '1.5', cause: 'requested' }])
    await page.locator('.title-line').getByText('Partly refunded').waitFor()
  }))

test('behavior: a person is invited, gets another role, and is removed', () =>
  visit('team', async (page) => {
    await signIn(page, 'owner', 'chief@example.com')
    await page.getByRole('link', { name: 'Team' }).click()
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('barbara@example.com')
    await page.getByRole('radio', { name: 'Viewer' }).check()
    await expectAccessible(page)
    await shoot(page, 'invite')
    await page.getByRole('button', { name: 'Create the link' }).click()
    const link = await page.getByRole('textbox', { name: 'Link' }).inputValue()
    await expectFocus(page, page.getByRole('textbox', { name: 'Link' }))
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('table', { name: 'Open invitations' }).getByText('barbara@example.com').waitFor()
    await expectAccessible(page)
    await shoot(page, 'invitations')
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('button', { name: 'Create the link' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Withdraw the invitation: Without an e-mail address' }).click()
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByText('The invitation is withdrawn.').waitFor()
    await visit('invited', async (other) => {
      await other.goto(link)
      await other.getByRole('button', { name: 'Sign in' }).click()
      await other.getByRole('button', { name: 'Account: barbara@example.com Viewer' }).waitFor()
      await page.reload()
      const role = page.getByRole('combobox', { name: 'Role of barbara@example.com' })
      await role.selectOption('Support')
      await page.getByText('barbara@example.com is now: Support.').waitFor()
      await other.reload()
      await other.getByRole('button', { name: 'Account: barbara@example.com Support' }).waitFor()
      await page.getByRole('button', { name: 'Remove barbara@example.com' }).click()
      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByText('barbara@example.com removed').waitFor()
      await other.reload()
      await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    })
  }))

test('behavior: a link by e-mail signs in', () =>
  visit('email', async (page) => {
    const email = 'mail@example.com'
    await signIn(page, 'viewer', email)
    await page.context().clearCookies()
    await open(page, '/orders')
    const field = page.getByRole('textbox', { name: 'E-mail address' })
    await field.fill('mail')
    await page.getByRole('button', { name: 'Send me a link' }).click()
    await page.getByText('email: expected an e-mail address such as ada@example.com').waitFor()
    await field.fill(email)
    await page.getByRole('button', { name: 'Send me a link' }).press('Enter')
    await expectFocus(page, page.getByRole('heading', { name: 'Check your mailbox' }))
    await expectAccessible(page)
    const findMail = () => mailServer.received.find(({ to }) => to.includes(email))
    await expect.poll(findMail).toBeDefined()
    const text = findMail()?.message.bodies.get('text/plain') ?? ''
    await page.goto(/http\S+\/console\/link#\S+/.exec(text)?.[0] ?? '')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Account: mail@example.com Viewer' }).waitFor()
  }))

test('behavior: a passkey is added, signs in, and is removed; other sessions are ended', () =>
  visit('passkey', async (page) => {
    await addPasskeys(page)
    await signIn(page, 'support', 'passkey@example.com')
    await open(page, '/settings')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('The passkey is added.').waitFor()
    await page.getByRole('button', { name: 'Account: passkey@example.com' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await open(page, '/settings')
    await page.getByRole('button', { name: 'Remove Passkey 1' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).last().click()
    await page.getByText('You have no passkey yet.').waitFor()
  }))

test('behavior: a session that ends shows the sign-in, at the page that the reader was on', () =>
  visit('ended', async (page) => {
    await signIn(page, 'support')
    await open(page, '/orders')
    await page.locator('tbody tr').first().waitFor()
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Payment', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(page.url()).toContain('/console/orders?phase=payment')
  }))
