import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { stateDir } from '../../scripts/lib/paths.mjs'
import { explainStop, waitInPage } from '../../scripts/lib/waitInPage.mjs'

const never = new Promise<never>(() => {})
const picture = join(mkdtempSync(join(tmpdir(), 'kassa-page-')), 'stopped.png')

/** A page that shows a text, or one that has crashed and answers nothing. */
const createPage = (text?: string): Page => {
  const answer = async (): Promise<string> => {
    if (text === undefined) throw new Error('Target crashed')
    return text
  }
  const screenshot = async ({ path }: { path: string }): Promise<void> => {
    await answer()
    writeFileSync(path, 'png')
  }
  return { locator: () => ({ innerText: answer }), screenshot } as unknown as Page
}

const timeout = Object.assign(
  new Error('locator.waitFor: Timeout 600000ms exceeded.\nCall log:\n  - waiting'),
  {
    name: 'TimeoutError',
  },
)

const stop = (page: Page, error: Error): Promise<string> =>
  waitInPage(page, { awaited: 'the receipt', picture, ended: never }, () => Promise.reject(error)).then(
    () => 'no error',
    (stopped: Error) => stopped.message,
  )

test('default: returns what the work returns', async () => {
  const options = { awaited: 'the receipt', picture, ended: never }
  expect(await waitInPage(createPage('Shop'), options, async () => 'receipt')).toBe('receipt')
})

test('default: the explanation names what was awaited, what the page showed and its picture', () => {
  expect(
    explainStop({
      awaited: 'the receipt',
      waitedMs: 600_040,
      text: 'Checkout\n\n  Your payment is sent\n',
      picture: join(stateDir, 'purchase/stopped.png'),
    }),
  ).toBe(
    [
      'The purchase stopped. It waited 600.0 s for the receipt.',
      'The page showed: "Checkout Your payment is sent"',
      'Its screenshot is .kassa/purchase/stopped.png.',
    ].join('\n'),
  )
})

test('behavior: a long text is shortened, and an empty one is said', () => {
  const given = { awaited: 'the receipt', waitedMs: 1_000 }
  expect(explainStop({ ...given, text: 'word '.repeat(500) })).toMatch(/showed: "(word ){80}…"$/)
  expect(explainStop({ ...given, text: ' \n' })).toContain('\nThe page showed no text.')
})

test('behavior: a timeout is explained without its log, and the page is photographed', async () => {
  const said = await stop(createPage('Checkout'), timeout)
  expect(said).toMatch(
    /^The purchase stopped. It waited \d+\.\d s for the receipt\.\nThe page showed: "Checkout"\nIts screenshot is \S+stopped\.png\.$/,
  )
  expect(existsSync(picture)).toBe(true)
})

test('behavior: a page that has crashed is said, with what the browser reports', async () => {
  const error = new Error('page.goto: \x1b[31mPage crashed\x1b[0m\nCall log:\n  - navigating')
  expect(await stop(createPage(), error)).toMatch(
    /for the receipt\.\nThe page could not be read\.\nThe browser reports: page\.goto: Page crashed$/,
  )
  expect(existsSync(picture)).toBe(false)
})

test('behavior: the wait ends when a program behind the page ends', async () => {
  const options = {
    awaited: 'the receipt',
    picture,
    ended: Promise.resolve('The service ended by itself (status 1).'),
  }
  await expect(waitInPage(createPage('Checkout'), options, () => never)).rejects.toThrow(
    /showed: "Checkout"\n.*\nThe service ended by itself \(status 1\)\.$/,
  )
})
