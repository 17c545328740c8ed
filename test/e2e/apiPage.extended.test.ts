import { type Browser, chromium } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBrowser } from '../../scripts/browser.mjs'
import { type RunningService, startService } from '../../scripts/lib/stack.mjs'
import { freshDataDir } from './helpers/dataDir.js'

const dataDir = freshDataDir('api-page')
let running: RunningService
let browser: Browser

beforeAll(async () => {
  running = await startService({ dataDir })
  browser = await chromium.launch(findBrowser())
})

afterAll(async () => {
  await browser?.close()
  await running?.stop()
})

test.each(['light', 'dark'] as const)(
  'default: tries an operation with the sandbox’s key, %s',
  async (colorScheme) => {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 900 } })
    const outside: string[] = []
    const errors: string[] = []
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(running.serviceUrl))
        outside.push(request.url())
    })
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(`${running.serviceUrl}/docs#tag/collections/GET/2022-06-09/collections`)
    await page.getByRole('heading', { name: 'List collections' }).first().waitFor()
    await expect
      .poll(() => page.evaluate(() => document.body.classList.contains('dark-mode')))
      .toBe(colorScheme === 'dark')
    await page
      .getByRole('button', { name: /^Test Request.*get.*\/2022-06-09\/collections\)?$/i })
      .first()
      .click()
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/2022-06-09/collections')),
      page.getByRole('button', { name: /^Send get request/i }).click(),
    ])
    expect(answer.status()).toBe(200)
    expect({ outside, errors }).toEqual({ outside: [], errors: [] })
    await page.close()
  },
)
