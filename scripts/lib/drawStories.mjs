import { join } from 'node:path'
import { privateDir } from './paths.mjs'

/** @typedef {{ id: string, title: string, name: string }} Story */
/** @typedef {{ width: number, theme: string }} View */

/** How wide, and in which theme, every story is drawn. */
export const views = [360, 768, 1280].flatMap((width) => ['light', 'dark'].map((theme) => ({ width, theme })))

/**
 * The folder of a view's pictures.
 * @param {View} view
 */
export const folderOf = ({ width, theme }) => `${width}-${theme}`

/**
 * Shows one story in a page that shows another, and waits until its play function has ended, and until what that
 * changed is drawn.
 * @param {import('playwright').Page} page
 * @param {string} id
 * @returns {Promise<string>} what went wrong, or nothing
 */
const show = (page, id) =>
  page.evaluate(async (storyId) => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 50))
    const channel = Reflect.get(window, '__STORYBOOK_ADDONS_CHANNEL__')
    const preview = Reflect.get(window, '__STORYBOOK_PREVIEW__')
    const problems = ['storyErrored', 'storyThrewException', 'playFunctionThrewException', 'storyMissing']
    const outcome = await new Promise((/** @type {(problem: string) => void} */ resolve) => {
      for (const problem of problems)
        channel.once(problem, (/** @type {{ message?: string }} */ error) =>
          resolve(`${problem} ${error?.message?.split('\n')[0] ?? ''}`),
        )
      // The story before may be drawn once more meanwhile.
      channel.on('storyFinished', (/** @type {{ storyId: string }} */ finished) => {
        if (finished.storyId === storyId) resolve('')
      })
      setTimeout(() => resolve('it never ended'), 60_000)
      channel.emit('setCurrentStory', { storyId, viewMode: 'story' })
    })
    do await pause()
    while (preview.currentRender?.isPending())
    return outcome
  }, id)

/**
 * Opens Storybook's page of stories. A page is loaded once and not for each of them.
 * @param {import('playwright').Page} page
 * @param {string} url
 * @param {Record<string, unknown>} globals such as the theme and the language
 * @returns {Promise<(id: string) => Promise<string>>} shows a story, and returns what went wrong
 */
export const openStories = async (page, url, globals) => {
  const open = async () => {
    await page.goto(`${url}/iframe.html`)
    await page.waitForSelector('.sb-nopreview', { state: 'visible' })
    // The tests hold every story against axe; here it would only cost time.
    await page.evaluate(
      (given) =>
        Reflect.get(window, '__STORYBOOK_ADDONS_CHANNEL__').emit('updateGlobals', { globals: given }),
      { ...globals, a11y: { manual: true } },
    )
  }
  await open()
  // Storybook loads its page again when the story before is left in the middle of something.
  return (id) => show(page, id).catch(() => open().then(() => show(page, id)))
}

/**
 * Draws stories in one view, all in the same page.
 * @param {import('playwright').Browser} browser
 * @param {{ url: string, stories: readonly Story[], view: View, folder: string }} options
 * @returns {Promise<string[]>} what went wrong
 */
export const drawStories = async (browser, { url, stories, view, folder }) => {
  const target = privateDir(join(folder, folderOf(view)))
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  const showStory = await openStories(page, url, { theme: view.theme })
  /** @type {string[]} */
  const problems = []
  for (const { id, title } of stories) {
    // A picture is as high as its story, so the window is low. What is docked to the window needs a usual one.
    await page.setViewportSize({ width: view.width, height: title === 'Devtools' ? 800 : 160 })
    const problem = await showStory(id)
    if (problem) problems.push(`${id} at ${folderOf(view)}: ${problem}`)
    await page.screenshot({ path: join(target, `${id}.png`), fullPage: true, animations: 'disabled' })
  }
  await page.close()
  return problems
}
