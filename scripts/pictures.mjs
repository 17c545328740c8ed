import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright'
import { findBrowser } from './browser.mjs'
import { build, runTool } from './lib/build.mjs'
import { writeContactSheet } from './lib/contactSheet.mjs'
import { drawStories, folderOf, views } from './lib/drawStories.mjs'
import { endSignal } from './lib/endSignal.mjs'
import { privateDir, stateDir } from './lib/paths.mjs'
import { serveFolder } from './lib/serveFolder.mjs'
import { run, say, step } from './lib/steps.mjs'

const storybook = join(stateDir, 'storybook')
const pictures = join(stateDir, 'pictures')
// Chromium draws no picture that is higher.
const highest = 16_380

/** @typedef {import('./lib/drawStories.mjs').Story} Story */

/** @returns {Story[]} */
const readStories = () => {
  /** @type {Record<string, Story & { type: string }>} */
  const entries = JSON.parse(readFileSync(join(storybook, 'index.json'), 'utf8')).entries
  return Object.values(entries).filter(({ type }) => type === 'story')
}

/**
 * Draws the contact sheet itself, in as many pictures as it takes.
 * @param {import('playwright').Browser} browser
 * @param {string} sheet
 */
const drawSheet = async (browser, sheet) => {
  const page = await browser.newPage({ viewport: { width: 3000, height: 1200 } })
  await page.goto(pathToFileURL(sheet).href)
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  const count = Math.ceil(height / highest)
  for (let index = 0; index < count; index++) {
    const y = index * highest
    await page.screenshot({
      path: join(pictures, index === 0 ? 'sheet.png' : `sheet-${index + 1}.png`),
      fullPage: true,
      clip: { x: 0, y, width: 3000, height: Math.min(highest, height - y) },
    })
  }
  await page.close()
}

/**
 * Draws both examples in the states of a purchase, with every control in each of its states. The visual tests go
 * through them anyway, so they draw them.
 * @param {AbortSignal} signal
 * @returns {Promise<string[]>} what the tests say against it
 */
const drawExamples = async (signal) => {
  process.env.KASSA_PICTURES = pictures
  const tests = ['run', '--project', 'e2e', 'test/e2e/visual/storefront.test.ts']
  try {
    await runTool('vitest/vitest.mjs', [...tests, '-t', 'Next|Vite'], { signal })
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

/** @returns {Story[]} the pictures of the examples, as if they were of stories */
const readExamples = () =>
  readdirSync(join(pictures, folderOf({ width: 1280, theme: 'light' })))
    .map((file) => file.replace(/\.png$/, ''))
    .filter((id) => /^(next|vite)--/.test(id))
    .map((id) => ({ id, title: `Example: ${id.slice(0, 4)}`, name: id.slice(6).replaceAll('-', ' ') }))

/**
 * Draws the examples and every story, at three widths, light and dark, into one contact sheet. Words pick stories by
 * their id, and leave the examples out.
 */
await run(async () => {
  const signal = endSignal()
  rmSync(pictures, { recursive: true, force: true })
  await step('Storybook built', () =>
    runTool('storybook/dist/bin/dispatcher.js', ['build', '-o', storybook, '--quiet'], { signal }),
  )
  const words = process.argv.slice(2)
  const stories = readStories().filter(({ id }) => words.every((word) => id.includes(word)))
  if (stories.length === 0) throw new Error(`No story's id holds ${words.join(' and ')}.`)
  /** @type {string[]} */
  const problems = []
  if (words.length === 0) {
    await build(undefined, signal)
    await step('examples drawn', async () => void problems.push(...(await drawExamples(signal))))
  }
  const server = await serveFolder(storybook)
  const browser = await chromium.launch(findBrowser())
  signal.addEventListener('abort', () => void browser.close())
  const sheet = join(privateDir(pictures), 'sheet.html')
  try {
    await step(`${stories.length} stories drawn`, async () => {
      const draw = (/** @type {import('./lib/drawStories.mjs').View} */ view) =>
        drawStories(browser, { url: server.url, stories, view, folder: pictures })
      problems.push(...(await Promise.all(views.map(draw))).flat())
    })
    const controls = join(pictures, 'controls')
    writeFileSync(
      sheet,
      writeContactSheet(
        [...readExamples(), ...stories],
        existsSync(controls) ? readdirSync(controls).sort() : [],
      ),
    )
    await step('contact sheet drawn', () => drawSheet(browser, sheet))
  } finally {
    await browser.close()
    server.stop()
  }
  say(`\n${problems.map((problem) => `${problem}\n`).join('')}${sheet}`)
  return problems.length === 0 ? 0 : 1
})
