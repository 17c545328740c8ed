import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessible } from './helpers/axe.js'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'
import { expectFocus, pressAt } from './helpers/keyboard.js'
import { expectLargeTargets, expectNoSidewaysScroll } from './helpers/looks.js'
import { startMailbox } from './helpers/startMailbox.js'

const dataDir = freshDataDir('mailbox')
let mailbox: Awaited<ReturnType<typeof startMailbox>>
let browser: Browser
beforeAll(async () => {
  ;[mailbox, browser] = await Promise.all([startMailbox(dataDir), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await mailbox?.stop()
})

const visit = (name: string, work: (page: Page) => Promise<void>, path = '/sandbox/mails') =>
  withBuyer(browser, { dataDir, name }, async (page) => {
    await page.goto(`${mailbox.storefrontUrl}${path}`)
    await work(page)
  })

const list = (page: Page) => page.getByRole('navigation', { name: 'E-mails' })
const opened = (page: Page) => page.frameLocator('iframe')
const expectSound = async (page: Page): Promise<void> => {
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
  await expectLargeTargets(page)
}

test('default', async () => {
  await visit(
    'arrival',
    async (page) => {
      await page.getByRole('link', { name: 'Sandbox mailbox' }).click()
      await page.getByText('No e-mail yet').waitFor()
      await expectSound(page)
      await mailbox.write('ada@example.com', 'de-DE', 'Dünen <b>#7</b>')
      // It appears without a reload.
      await page.getByRole('heading', { name: 'Dünen <b>#7</b> ist angekommen' }).waitFor()
      await opened(page).getByText('Es liegt in Ihrer Wallet bei Recto.').waitFor()
      await mailbox.write('grace@example.com', 'ja-JP', 'Dunes #8')
      await list(page).getByText('「Dunes #8」が届きました').waitFor()
      await page.getByText('2 e-mails').waitFor()

      await pressAt(page, list(page).getByRole('link', { name: /Dünen/ }))
      await expectFocus(page, page.getByRole('heading', { name: 'Mailbox', level: 1 }))
      await opened(page).getByRole('heading', { name: 'Dünen <b>#7</b> ist angekommen' }).waitFor()
      const chosen = list(page).locator('[aria-current=page]')
      await expect.poll(() => chosen.textContent()).toContain('ada@example.com')
      await page.getByText('As plain text').click()
      await page.locator('pre').getByText('Sie müssen nichts weiter tun.').waitFor()
    },
    '/',
  )
})

describe('with an e-mail', () => {
  beforeAll(() => mailbox.write('lin@example.com', 'th-TH', 'Coral #9'))

  test('behavior: an e-mail runs nothing in the shop, and reaches nothing of it', () =>
    visit('frame', async (page) => {
      const frame = page.locator('iframe')
      expect(await frame.getAttribute('sandbox')).toBe('allow-popups allow-popups-to-escape-sandbox')
      expect(await frame.getAttribute('src')).toBeNull()
    }))

  test.each(
    [360, 768, 1280].flatMap((width) =>
      (['light', 'dark'] as const).map((scheme) => [width, scheme] as const),
    ),
  )('parameters: %i pixels, %s', (width, scheme) =>
    visit(`${width}-${scheme}`, async (page) => {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme: scheme })
      await list(page).waitFor()
      await expectSound(page)
      await list(page)
        .getByRole('link', { name: /Coral #9/ })
        .click()
      await page.getByRole('article').getByText('lin@example.com').waitFor()
      await expectSound(page)
      // Where there is room for one thing only, it is the one that was chosen.
      const isNarrow = width < 960
      expect(await list(page).isVisible()).toBe(!isNarrow)
      if (!isNarrow) return
      await page.getByRole('link', { name: 'All e-mails' }).click()
      await list(page).waitFor()
      expect(await page.getByRole('article').isVisible()).toBe(false)
    }),
  )
})

test('error: an e-mail that is not there', () =>
  visit(
    'nothing',
    async (page) => {
      await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
    },
    '/sandbox/mails/nothing',
  ))
