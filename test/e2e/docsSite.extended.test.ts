import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBrowser } from '../../scripts/browser.mjs'
import { serveFolder } from '../../scripts/lib/serveFolder.mjs'
import { listSources, root } from '../helpers/sources.js'
import { expectAccessible } from './helpers/axe.js'

const folder = join(root, '.kassa/docs')
let server: Awaited<ReturnType<typeof serveFolder>>
let browser: Browser

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['scripts/docs.mjs'], { cwd: root })
  server = await serveFolder(folder)
  browser = await chromium.launch(findBrowser())
})

afterAll(async () => {
  await browser?.close()
  server?.stop()
})

/** Opens a page of the site in a browser that reaches nothing but the site. */
const open = async (path: string, colorScheme: 'light' | 'dark' = 'light') => {
  const page = await browser.newPage({ colorScheme })
  const outside: string[] = []
  const errors: string[] = []
  await page.route('**/*', (route) => {
    const url = route.request().url()
    if (url.startsWith(server.url) || url.startsWith('data:')) return route.continue()
    outside.push(url)
    return route.abort()
  })
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(`${server.url}/${path}`)
  return { page, outside, errors }
}

/** Searches, and waits until the results have a link that begins as expected. */
const expectFound = async (page: Page, words: string, link: string): Promise<void> => {
  await page.getByRole('button', { name: 'Search' }).first().click()
  await page.getByPlaceholder('Search').fill(words)
  const result = page.getByRole('listbox').locator(`a[href^="${link}"]`)
  await result.first().waitFor()
  await page.keyboard.press('Escape')
}

test('default: every document is a page', () => {
  const pages = listSources('.kassa/docs', /\.html$/).map((file) => file.slice('.kassa/docs/'.length))
  const guides = listSources('docs', /^[a-z-]+\.md$/).filter((file) => /^docs\/[^/]+$/.test(file))
  const expected = [
    ...guides
      .map((file) => file.slice('docs/'.length).replace(/md$/, 'html'))
      .filter((file) => file !== 'mutation-testing.html'),
    ...listSources('errors', /\.md$/).map((file) => file.replace(/md$/, 'html')),
    'service.html',
    'changes.html',
    'reference/kassa.html',
    'reference/http.html',
  ]
  expect(expected.filter((page) => !pages.includes(page))).toEqual([])
})

test('behavior: the search works without a network', async () => {
  const { page, outside } = await open('index.html')
  await expectFound(page, 'refund', '/refunds.html')
  await expectFound(page, 'webhook', '/webhooks.html')
  await expectFound(page, 'useOrder', '/reference/kassa.html#useorder')
  expect(outside).toEqual([])
  await page.close()
})

test('behavior: the gallery shows live parts, each in its own look', async () => {
  const { page, outside, errors } = await open('gallery.html')
  const panel = page.locator('[data-look="theme"]')
  await panel.getByRole('button', { name: /^Pay 0/ }).click()
  await panel.getByRole('region', { name: 'Receipt' }).waitFor()
  const colorOf = (look: string) =>
    page
      .locator(`[data-look="${look}"]`)
      .getByRole('button', { name: /^Pay 0/ })
      .evaluate((button) => getComputedStyle(button).backgroundColor)
  await page.locator('[data-look="theme"]').getByLabel('Moment').selectOption('Ready to pay')
  const colors = await Promise.all(['theme', 'brand', 'frameless', 'bare', 'ticket'].map(colorOf))
  expect(new Set(colors).size).toBeGreaterThan(3)
  expect({ outside, errors }).toEqual({ outside: [], errors: [] })
  await page.close()
})

test.each(['light', 'dark'] as const)('behavior: pages pass axe, %s', async (scheme) => {
  for (const path of ['index.html', 'concepts.html', 'taxes.html', 'reference/http.html']) {
    const { page } = await open(path, scheme)
    await expectAccessible(page)
    await page.close()
  }
})
