import { join } from 'node:path'
import { privateDir } from './paths.mjs'

/** @typedef {{ id: string, title: string, name: string }} Story */
/** @typedef {{ width: number, theme: string }} View */

/** How wide, and in which theme, every story is drawn. */
export const views = [360, 1280].flatMap((width) => ['light', 'dark'].map((theme) => ({ width, theme })))

/**
 * The folder of a view's pictures.
 * @param {View} view
 */
export const folderOf = ({ width, theme }) => `${width}-${theme}`

/**
 * Shows one story in a page that shows another, and waits until its play function has ended.
 * @param {import('playwright').Page} page
 * @param {string} id
 * @returns {Promise<string>} what went wrong, or nothing
 */
const show = (page, id) =>
  page.evaluate(
    (storyId) =>
      new Promise((/** @type {(problem: string) => void} */ resolve) => {
        const channel = Reflect.get(window, '__STORYBOOK_ADDONS_CHANNEL__')
        const problems = ['storyErrored', 'storyThrewException', 'playFunctionThrewException', 'storyMissing']
        for (const problem of problems) channel.once(problem, () => resolve(problem))
        channel.once('storyFinished', () => resolve(''))
        setTimeout(() => resolve('it never ended'), 60_000)
        channel.emit('setCurrentStory', { storyId, viewMode: 'story' })
      }),
    id,
  )

/**
 * Draws stories in one view, all in the same page: a page is loaded once and not for each of them.
 * @param {import('playwright').Browser} browser
 * @param {{ url: string, stories: readonly Story[], view: View, folder: string }} options
 * @returns {Promise<string[]>} what went wrong
 */
export const drawStories = async (browser, { url, stories, view, folder }) => {
  const target = privateDir(join(folder, folderOf(view)))
  const page = await browser.newPage({
    viewport: { width: view.width, height: 160 },
    reducedMotion: 'reduce',
  })
  // The tests hold every story against axe; here it would only cost time.
  await page.goto(`${url}/iframe.html?globals=theme:${view.theme};a11y.manual:!true`)
  await page.waitForSelector('.sb-nopreview', { state: 'visible' })
  /** @type {string[]} */
  const problems = []
  for (const { id } of stories) {
    const problem = await show(page, id)
    if (problem) problems.push(`${id} at ${folderOf(view)}: ${problem}`)
    await page.screenshot({ path: join(target, `${id}.png`), fullPage: true, animations: 'disabled' })
  }
  await page.close()
  return problems
}
