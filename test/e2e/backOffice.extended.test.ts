import { execFile } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findPort } from '../../scripts/lib/ports.mjs'
import { serviceProgram } from '../../scripts/lib/programs.mjs'
import { openSandbox, saveSandbox } from '../../scripts/lib/sandbox.mjs'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { type Stack, startStack } from '../../scripts/lib/stack.mjs'
import { expectAccessible } from './helpers/axe.js'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'
import { expectLargeTargets, expectNoSidewaysScroll } from './helpers/looks.js'

const dataDir = freshDataDir('backOffice')
const storePath = join(dataDir, 'orders.json')
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
  withBuyer(browser, { dataDir, name }, work)

const kassa = async (...args: string[]): Promise<string> => {
  const { env, script } = serviceProgram(openSandbox(dataDir), dataDir, {})
  return (await promisify(execFile)(process.execPath, [script, ...args], { env })).stdout
}

type Delivery = { eventId: string; type: string; status: string }
const listEvents = async (): Promise<Delivery[]> => JSON.parse(await kassa('webhooks', 'events', '--json'))
const waitUntilTold = () =>
  expect
    .poll(async () => (await listEvents()).map(({ status }) => status))
    .toEqual(['succeeded', 'succeeded', 'succeeded'])

const openOrders = (page: Page) => page.goto(`${stack.storefrontUrl}/orders`)

/** Buys one, and ends at the back office, where it is shipped. */
const buy = async (page: Page): Promise<string> => {
  await shopper.openShop(page, stack.storefrontUrl)
  await shopper.chooseEdition(page, 'Dunes at Dusk')
  await shopper.buy(page, 'eth')
  await shopper.connectDemoWallet(page)
  await shopper.pay(page)
  await shopper.confirm(page)
  await shopper.waitForReceipt(page)
  const orderId = shopper.orderIdOf(page)
  await openOrders(page)
  // It appears without a reload.
  await page.getByRole('article').filter({ hasText: orderId }).locator('[data-state=shipped]').waitFor()
  return orderId
}

const expectSound = async (page: Page): Promise<void> => {
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await expectLargeTargets(page)
}

test('default: a purchase is shown as shipped, and telling of it once more changes nothing', () =>
  shop('shipped', async (page) => {
    await openOrders(page)
    await page.getByText('No order yet').waitFor()
    await expectSound(page)
    const orderId = await buy(page)
    const order = page.getByRole('article')
    await expect.poll(() => order.count()).toBe(1)
    expect(await order.textContent()).toContain(orderId)

    await waitUntilTold()
    const [text, { mtimeMs }] = [readFileSync(storePath, 'utf8'), statSync(storePath)]
    const delivered = (await listEvents()).find(({ type }) => type === 'orders.delivery.completed')
    await kassa('webhooks', 'replay', delivered?.eventId ?? '')
    await waitUntilTold()
    expect(readFileSync(storePath, 'utf8')).toBe(text)
    expect(statSync(storePath).mtimeMs).toBe(mtimeMs)
  }))

test.each(
  [360, 768, 1280].flatMap((width) => (['light', 'dark'] as const).map((scheme) => [width, scheme] as const)),
)('parameters: %i pixels, %s', (width, scheme) =>
  shop(`${width}-${scheme}`, async (page) => {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme: scheme })
    await openOrders(page)
    await page.getByRole('article').first().waitFor()
    await expectSound(page)
  }),
)

test('behavior: the storefront receives webhooks on every port it comes up at', async () => {
  await stack.stop()
  const before = openSandbox(dataDir)
  const storefront = await findPort(before.ports.storefront + 1)
  saveSandbox(dataDir, { ...before, ports: { ...before.ports, storefront } })
  stack = await startStack({ dataDir })
  const url = `http://localhost:${storefront}/api/webhooks`
  expect(openSandbox(dataDir).webhook).toEqual({ ...before.webhook, url })
  await shop('moved', async (page) => {
    await buy(page)
    expect(await page.getByRole('article').count()).toBe(2)
  })
})

test('behavior: a sandbox from before there were webhooks starts', async () => {
  const { webhook, ...older } = openSandbox(dataDir)
  await kassa('webhooks', 'remove', webhook?.id ?? '')
  await stack.stop()
  saveSandbox(dataDir, older)
  stack = await startStack({ dataDir })
  expect(openSandbox(dataDir).webhook?.secret).toMatch(/^whsec_/)
  await shop('older', async (page) => {
    await buy(page)
  })
})

test('behavior: an endpoint that was removed is registered anew, and a new secret is taken over', async () => {
  const { webhook: removed } = openSandbox(dataDir)
  await kassa('webhooks', 'remove', removed?.id ?? '')
  await stack.stop()
  stack = await startStack({ dataDir })
  const { webhook: anew } = openSandbox(dataDir)
  expect(anew).toMatchObject({ id: expect.not.stringMatching(removed?.id ?? ''), url: removed?.url })

  const secret = (await kassa('webhooks', 'rotate', anew?.id ?? '', '--keep-hours', '0')).trim()
  await stack.stop()
  stack = await startStack({ dataDir })
  expect(openSandbox(dataDir).webhook).toEqual({ ...anew, secret })
  await shop('rotated', async (page) => {
    await buy(page)
  })
})

test('error: orders that cannot be read are named, and kept as they are', async () => {
  writeFileSync(storePath, '{ "orders": [')
  await shop('damaged', async (page) => {
    await openOrders(page)
    await page.getByRole('alert').filter({ hasText: storePath }).waitFor()
  })
  expect(readFileSync(storePath, 'utf8')).toBe('{ "orders": [')
})
