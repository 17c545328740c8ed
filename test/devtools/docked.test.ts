import { build } from 'esbuild'
import { type Browser, chromium, type Locator, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from '../../scripts/browser.mjs'
import { readSource, root } from '../helpers/sources.js'

const shop = 'http://shop.test/'

/** A page with a checkout and the panel. Its bar stays in view, as the pay button of a phone's page may. */
const entry = `
import { createRoot } from 'react-dom/client'
import { WithDevtools } from './stories/devtools/examples/WithDevtools.js'
import { createSandboxFetch } from './stories/devtools/sandboxFetch.js'
import { createFreshOrder } from './stories/fixtures/fresh.js'
const order = createFreshOrder()
createRoot(document.getElementById('root')).render(
  <>
    <WithDevtools baseUrl="http://shop.test/api" orderId={order.orderId} clientSecret="a-secret" fetch={createSandboxFetch([order])} />
    <div style={{ height: 500 }} />
    <div id="bar" style={{ position: 'sticky', bottom: 0 }}>Pay</div>
  </>,
)`

let browser: Browser
let html: string

beforeAll(async () => {
  const [{ outputFiles }, opened] = await Promise.all([
    build({
      stdin: { contents: entry, resolveDir: root, loader: 'tsx' },
      bundle: true,
      format: 'esm',
      jsx: 'automatic',
      write: false,
      conditions: ['@kassa/source'],
      define: { 'process.env.NODE_ENV': '"production"' },
    }),
    chromium.launch(findBrowser()),
  ])
  browser = opened
  const script = outputFiles[0]?.text.replaceAll('</script', '<\\/script')
  html = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Shop</title>
<style>${readSource('src/theme.css')}</style><div id="root"></div><script type="module">${script}</script></html>`
})
afterAll(() => browser?.close())

/** Opens the shop as a visitor without a history. */
const visit = async (width: number): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width, height: 740 } })
  await page.route(`${shop}**`, (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await page.goto(shop)
  await page.getByRole('button', { name: /^Pay 0/ }).waitFor()
  return page
}

const devtools = (page: Page): Locator => page.locator('.devtools')

/** Whether two things share a place on the screen. */
const overlap = async (one: Locator, other: Locator): Promise<boolean> => {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()])
  if (!a || !b) throw new Error('nothing is drawn')
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

describe('behavior: on a phone it never overlaps what the buyer presses', () => {
  test.each([320, 360, 768])('%d px wide, wherever the page is scrolled to', async (width) => {
    const page = await visit(width)
    const pay = page.getByRole('button', { name: /^Pay 0/ })
    const check = async (): Promise<void> => {
      const height = await page.evaluate(() => document.documentElement.scrollHeight)
      for (let y = 0; y <= height; y += 150) {
        await page.evaluate((top) => window.scrollTo(0, top), y)
        expect(await overlap(pay, devtools(page)), `the button, at ${y}`).toBe(false)
        expect(await overlap(page.locator('#bar'), devtools(page)), `the bar, at ${y}`).toBe(false)
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide).toBeLessThanOrEqual(width)
    }
    await check()
    await page.getByRole('button', { name: /^Checkout devtools/ }).click()
    await page.getByRole('dialog', { name: /^Kassa/ }).waitFor()
    await check()
    await page.close()
  })
})

test('behavior: on a wide page the end of the page stays above it', async () => {
  const page = await visit(1280)
  await page.getByRole('button', { name: /^Checkout devtools/ }).click()
  await page.getByRole('dialog').waitFor()
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  expect(await overlap(page.locator('#bar'), devtools(page))).toBe(false)
  await page.close()
})

test('behavior: its edge is dragged, and a reload finds its size', async () => {
  const page = await visit(1280)
  await page.getByRole('button', { name: /^Checkout devtools/ }).click()
  const edge = page.getByRole('separator', { name: 'Size of the devtools' })
  const box = await edge.boundingBox()
  await page.mouse.move(640, (box?.y ?? 0) + 6)
  await page.mouse.down()
  await page.mouse.move(640, 300, { steps: 4 })
  await page.mouse.up()
  await page.mouse.move(640, 100)
  expect(await edge.getAttribute('aria-valuenow')).toBe('440')
  expect((await devtools(page).boundingBox())?.height).toBe(440)
  await page.reload()
  await expect.poll(() => edge.getAttribute('aria-valuenow')).toBe('440')
  expect((await devtools(page).boundingBox())?.height).toBe(440)
  await page.close()
})
