import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runTool } from '../../../scripts/lib/build.mjs'
import { openStories, type Story, withoutAxe } from '../../../scripts/lib/drawStories.mjs'
import { stateDir } from '../../../scripts/lib/paths.mjs'
import { serveFolder } from '../../../scripts/lib/serveFolder.mjs'
import { root } from '../../helpers/sources.js'
import { openBrowser } from '../helpers/browser.js'
import { type ColorScheme, colorSchemes, inspect } from '../helpers/eyes.js'

const storybook = join(stateDir, 'e2e/storybook')
let server: Awaited<ReturnType<typeof serveFolder>>
let browser: Browser
let stories: Story[]
beforeAll(async () => {
  await runTool('storybook/dist/bin/dispatcher.js', ['build', '-o', storybook, '--quiet'])
  const { entries } = JSON.parse(readFileSync(join(storybook, 'index.json'), 'utf8'))
  stories = (Object.values(entries) as (Story & { type: string })[]).filter(({ type }) => type === 'story')
  ;[server, browser] = await Promise.all([serveFolder(storybook), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  server?.stop()
})

const stage = '#storybook-root'

const setTheme = (page: Page, scheme: ColorScheme): Promise<void> =>
  page.evaluate((theme) => {
    for (const element of document.querySelectorAll('.stage')) element.setAttribute('data-theme', theme)
  }, scheme)

const openPage = (width: number): Promise<Page> =>
  browser.newPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })

/** What tells controls that look alike from others. */
const readKinds = (page: Page): Promise<string[]> =>
  page
    .locator(`${stage} :is(a, button, input, select, summary)`)
    .evaluateAll((elements) =>
      elements.map((element) =>
        [
          element.closest('.stage')?.querySelector('style') !== null,
          ...[...element.attributes]
            .filter(({ name }) =>
              /^(class|data-(?!address|name$|currency)|aria-(disabled|invalid)|type)/.test(name),
            )
            .map(({ name, value }) => `${name}=${value}`),
        ].join(' '),
      ),
    )

/** Shows other stories once more, all at once. */
const repeated = 'Parts/All parts'

/** Shows stories one after the other, and lists what axe says against them and what is wrong with what is drawn. */
const inspectStories = async (shown: readonly Story[]): Promise<string[]> => {
  const page = await openPage(1280)
  const thrown: string[] = []
  page.on('pageerror', ({ message }) => thrown.push(message))
  const show = await openStories(page, server.url, { theme: 'light' })
  const seen = new Set<string>()
  const problems: string[] = []
  for (const { id, title } of shown) {
    problems.push(...[...(await show(id)), ...thrown.splice(0)].map((what) => `${id}: ${what}`))
    if (title === repeated || (await page.locator(stage).innerText()).trim() === '') continue
    const kinds = await readKinds(page)
    const isNew = kinds.some((kind) => !seen.has(kind))
    for (const kind of kinds) seen.add(kind)
    const found = await inspect(page, {
      scope: stage,
      setColorScheme: setTheme,
      styled: isNew && title.startsWith('Checkout/Panel') ? '[data-kassa="root"]' : undefined,
      ...(!isNew && { states: ['rest'] }),
    })
    problems.push(...found.map((what) => `${id}: ${what}`))
  }
  await page.close()
  return problems
}

test('behavior: every story passes axe, and can be read in every state of its controls', async () => {
  expect(stories.length).toBeGreaterThan(250)
  // Most of the time a story waits, so several pages share them.
  const share = Math.ceil(stories.length / 3)
  const shares = [0, 1, 2].map((at) => stories.slice(at * share, (at + 1) * share))
  const problems = await Promise.all(shares.map(inspectStories))
  expect(problems.flat()).toEqual([])
})

/** Stories of the theme that are drawn the same each time, and together have every kind of element. */
const drawn = [
  'checkout-panel-moments--wallet-to-connect',
  'checkout-panel-moments--taxed-and-shipped',
  'checkout-panel-moments--declined',
  'checkout-panel-looks--dark-form',
  'checkout-panel-looks--dark-receipt',
]
const font = readFileSync(join(root, 'examples/next/app/fonts/instrument-sans.woff2'), 'base64')

/** How many pixels of two pictures differ by more than the eye is likely to see. */
const countDifferent = (before: PNG, after: PNG): number => {
  if (before.width !== after.width || before.height !== after.height) return before.width * before.height
  let count = 0
  for (let at = 0; at < before.data.length; at += 4)
    if (
      [0, 1, 2].some((index) => Math.abs((before.data[at + index] ?? 0) - (after.data[at + index] ?? 0)) > 24)
    )
      count++
  return count
}

test('behavior: the theme looks as in the stored pictures', async () => {
  // Another browser, or another system, draws letters in another way.
  const name = `${process.platform}-${process.arch}-${browser.version()}`
  const folder = join(import.meta.dirname, 'pictures', name)
  const isHere = existsSync(folder)
  if (!isHere && process.env.CI) {
    console.log(`No pictures are stored for ${name}, so none are compared.`)
    return
  }
  mkdirSync(folder, { recursive: true })
  const page = await openPage(360)
  const show = await openStories(page, server.url, { theme: 'light', ...withoutAxe })
  await page.addStyleTag({
    content: `@font-face { font-family: drawn; font-weight: 400 700; src: url(data:font/woff2;base64,${font}) }
      .stage, .stage * { font-family: drawn !important; animation: none !important; caret-color: transparent }`,
  })
  const problems: string[] = []
  for (const id of drawn) {
    problems.push(...(await show(id)))
    for (const scheme of colorSchemes) {
      await setTheme(page, scheme)
      await page.evaluate(() => document.fonts.ready)
      const picture = await page.locator('[data-kassa="root"]').screenshot({ animations: 'disabled' })
      const file = join(folder, `${id.replace(/^.*--/, '')}-${scheme}.png`)
      if (!existsSync(file) && !process.env.CI) writeFileSync(file, picture)
      else {
        const count = existsSync(file)
          ? countDifferent(PNG.sync.read(readFileSync(file)), PNG.sync.read(picture))
          : 'all'
        if (count === 0) continue
        const seen = join(stateDir, 'e2e', `${id}-${scheme}.png`)
        writeFileSync(seen, picture)
        problems.push(`${file} differs in ${count} pixels from ${seen}`)
      }
    }
  }
  await page.close()
  // A picture that is meant to change: remove the stored one, and run this again.
  expect(problems).toEqual([])
})
