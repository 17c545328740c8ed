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
 * What an addon says of a story; here, only axe does.
 * @typedef {{ status: string, result: { violations?: { id: string, nodes: { html: string }[] }[], error?: unknown } }} Report
 */

/** Without it, axe checks every story that is shown. */
export const withoutAxe = { a11y: { manual: true } }

/**
 * Shows one story in a page that shows another, and waits until its play function has ended, and until what that
 * changed is drawn.
 * @param {import('playwright').Page} page
 * @param {string} id
 * @returns {Promise<string[]>} what went wrong
 */
const show = (page, id) =>
  page.evaluate(async (storyId) => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 50))
    const channel = Reflect.get(window, '__STORYBOOK_ADDONS_CHANNEL__')
    const preview = Reflect.get(window, '__STORYBOOK_PREVIEW__')
    const failures = [
      'storyErrored',
      'storyThrewException',
      'playFunctionThrewException',
      'unhandledErrorsWhilePlaying',
      'storyMissing',
    ]
    const listViolations = (/** @type {Report} */ { result: { violations, error } }) =>
      violations?.map(({ id, nodes }) => `axe: ${id}: ${nodes.map(({ html }) => html).join(', ')}`) ?? [
        `axe: ${error}`,
      ]
    const outcome = await new Promise((/** @type {(problems: string[]) => void} */ resolve) => {
      for (const failure of failures)
        channel.once(failure, (/** @type {{ message?: string } | { message?: string }[]} */ thrown) => {
          const [error] = [thrown].flat()
          resolve([`${failure} ${error?.message?.split('\n')[0] ?? ''}`])
        })
      // The story before may be drawn once more meanwhile.
      channel.on(
        'storyFinished',
        (/** @type {{ storyId: string, reporters: Report[] }} */ { storyId: finished, reporters }) => {
          if (finished !== storyId) return
          resolve(reporters.filter(({ status }) => status === 'failed').flatMap(listViolations))
        },
      )
      setTimeout(() => resolve(['it never ended']), 60_000)
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
 * @param {Record<string, unknown>} globals such as the theme and the language, and {@link withoutAxe}
 * @returns {Promise<(id: string) => Promise<string[]>>} shows a story, and returns what went wrong
 */
export const openStories = async (page, url, globals) => {
  const open = async () => {
    await page.goto(`${url}/iframe.html`)
    await page.waitForSelector('.sb-nopreview', { state: 'visible' })
    await page.evaluate(
      (given) =>
        Reflect.get(window, '__STORYBOOK_ADDONS_CHANNEL__').emit('updateGlobals', { globals: given }),
      globals,
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
  const showStory = await openStories(page, url, { theme: view.theme, ...withoutAxe })
  /** @type {string[]} */
  const problems = []
  for (const { id, title } of stories) {
    // A picture is as high as its story, so the window is low. What is docked to the window needs a usual one.
    await page.setViewportSize({ width: view.width, height: title === 'Devtools' ? 800 : 160 })
    problems.push(...(await showStory(id)).map((problem) => `${id} at ${folderOf(view)}: ${problem}`))
    await page.screenshot({ path: join(target, `${id}.png`), fullPage: true, animations: 'disabled' })
  }
  await page.close()
  return problems
}
