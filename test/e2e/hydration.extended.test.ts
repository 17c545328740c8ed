import { cpSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Child, startChild } from '../../scripts/lib/child.mjs'
import { storefrontProgram } from '../../scripts/lib/programs.mjs'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { type RunningService, startService } from '../../scripts/lib/stack.mjs'
import { waitFor } from '../../scripts/lib/waitFor.mjs'
import { root } from '../helpers/sources.js'
import { openBrowser } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'
import { withoutBlocks } from './helpers/node.js'
import { signIn } from './helpers/walletPage.js'

const dataDir = freshDataDir('hydration')
/** As deep as the storefront itself, so that its imports lead to the same files. */
const copy = join(root, '.kassa/hydration')
let running: RunningService
let storefront: Child
let browser: Browser

/**
 * Only a development build reports every mismatch, and only one such build runs per folder, so this one gets
 * a separate folder.
 */
const startCopy = async (): Promise<Child> => {
  rmSync(copy, { recursive: true, force: true })
  cpSync(join(root, 'examples/next'), copy, {
    recursive: true,
    filter: (path) => !['.next', 'node_modules', 'test'].includes(basename(path)),
  })
  const child = startChild({ ...storefrontProgram(running.sandbox, dataDir, true), cwd: copy })
  await waitFor(running.storefrontUrl, child)
  return child
}

beforeAll(async () => {
  running = await startService({ dataDir })
  ;[storefront, browser] = await Promise.all([startCopy(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await storefront?.stop()
  await running?.stop()
})

type Visit = { page: Page; context: BrowserContext; calls: string[] }

// Whether a style sheet is used soon enough after its preload depends on how busy the machine is. That a
// visitor has no wallet yet is a valid answer.
const isHint = (text: string): boolean =>
  text.includes('was preloaded using link preload but not used') || /Failed to load resource.*404/.test(text)

/** Does something as a buyer with no history, and fails if a page complained of anything. */
const visit = async (
  name: string,
  work: (visit: Visit) => Promise<void>,
  options: { javaScriptEnabled?: boolean } = {},
): Promise<void> => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  const calls: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    const isComplaint = ['error', 'warning'].includes(message.type()) && !isHint(message.text())
    if (isComplaint) complaints.push(message.text())
  })
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('/events')) calls.push('STREAM')
    // Ways to pay are no read of the order.
    else if (/\/2022-06-09\/orders(?!.*\/payment-options)/.test(pathname)) calls.push(request.method())
  })
  try {
    await work({ page, context, calls })
  } catch (error) {
    await page.screenshot({ path: join(dataDir, `${name}.png`), fullPage: true })
    throw error
  } finally {
    await context.close()
  }
  expect(complaints).toEqual([])
}

const checkout = async (page: Page): Promise<void> => {
  await shopper.openShop(page, running.storefrontUrl)
  await shopper.chooseEdition(page, 'Dunes at Dusk')
  await shopper.buy(page, 'eth')
}

const demoWallet = (page: Page) => page.getByRole('button', { name: /^Demo wallet/ })

test('behavior: without JavaScript an order is made, and its price is on its page', () =>
  visit(
    'without-script',
    async ({ page }) => {
      await checkout(page)
      const order = page.getByRole('complementary', { name: 'Your order' })
      expect(await order.innerText()).toMatch(/Dunes at Dusk[\s\S]*Total\s*0\.012\sETH/)
      expect(await page.getByRole('main').locator('noscript').innerText()).toMatch(
        /^Paying from a wallet needs JavaScript/,
      )
    },
    { javaScriptEnabled: false },
  ))

test('behavior: without JavaScript the whole series is ordered', () =>
  visit(
    'series',
    async ({ page }) => {
      await shopper.openShop(page, running.storefrontUrl)
      await page.getByRole('button', { name: 'Get the whole series' }).click()
      await page.waitForURL(/\/checkout\//)
      const order = page.getByRole('complementary', { name: 'Your order' })
      expect(await order.getByRole('listitem').count()).toBe(3)
    },
    { javaScriptEnabled: false },
  ))

test('behavior: the page comes with its order, and the browser does not ask for it again at once', () =>
  visit('prefetched', async ({ page, calls }) => {
    await checkout(page)
    calls.length = 0
    const answer = await page.reload()
    expect(await answer?.text()).toMatch(/Dunes at Dusk/)
    await demoWallet(page).waitFor()
    // It polls only if the stream is slow to open.
    await expect.poll(() => calls[0]).toBe('STREAM')
  }))

test('behavior: the secret stays in a cookie that no script reads', () =>
  visit('secret', async ({ page, context }) => {
    await checkout(page)
    await shopper.connectDemoWallet(page)
    const cookies = await context.cookies()
    const secret = cookies.find(({ name }) => name.includes(shopper.orderIdOf(page)))
    expect(secret).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    expect(secret?.value.length).toBeGreaterThan(20)
    expect(await page.evaluate(() => document.cookie)).toBe('')
    const html = await (await page.request.get(page.url())).text()
    expect(html).toContain('0.012')
    expect(html).not.toContain(decodeURIComponent(secret?.value ?? ''))
  }))

test('behavior: a wallet of an earlier visit is found after the page is there, in every phase', () =>
  visit('phases', async ({ page }) => {
    await checkout(page)
    await shopper.connectDemoWallet(page)
    await page.reload()
    await page.getByRole('heading', { name: 'Wallet', level: 2, exact: true }).waitFor()
    await shopper.pay(page)
    await page.reload()
    await shopper.doubt(page).waitFor()
    await withoutBlocks(dataDir, 'base-sepolia', async () => {
      await shopper.payAgain(page)
      await shopper.confirm(page)
      await page.reload()
      await shopper.waitForSent(page)
    })
    await shopper.waitForReceipt(page)
    await page.reload()
    await shopper.waitForReceipt(page)
  }))

test('behavior: the wallet page, before and after signing in', () =>
  visit('wallet', async ({ page }) => {
    const email = 'ada@example.com'
    await page.goto(`${running.storefrontUrl}/wallet`)
    await page.getByRole('button', { name: 'Send me a link' }).waitFor()
    await signIn(page, running, email)
    await page.getByRole('region', { name: 'Kept for you' }).getByText('Nothing here yet').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Create a wallet with a passkey' }).waitFor()
  }))

test('behavior: a visitor without the cookie sees why the order is closed', () =>
  visit('stranger', async ({ page, context }) => {
    await checkout(page)
    const checkoutUrl = page.url()
    // An open checkout still asks for its order, and would complain once its cookie is gone.
    await page.goto('about:blank')
    await context.clearCookies()
    await page.goto(checkoutUrl)
    await page.getByRole('heading', { name: 'This checkout was opened in another browser' }).waitFor()
  }))

test('error: api.not-found, an order that is no more', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await checkout(page)
  const [known] = (await context.cookies()).filter(({ name }) => name.includes(shopper.orderIdOf(page)))
  if (!known) throw new Error('there is no cookie')
  const orderId = crypto.randomUUID()
  await context.addCookies([{ ...known, name: known.name.replace(shopper.orderIdOf(page), orderId) }])
  const answer = await page.goto(`${running.storefrontUrl}/checkout/${orderId}`)
  expect(answer?.status()).toBe(404)
  await context.close()
})
