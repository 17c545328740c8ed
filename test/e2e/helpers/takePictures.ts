import { join } from 'node:path'
import type { Page } from 'playwright'
import { folderOf, views } from '../../../scripts/lib/drawStories.mjs'
import { controls, pseudoStates, withPseudoState } from '../../helpers/pseudoStates.js'
import { type ColorScheme, colorSchemes } from './eyes.js'
import { settle } from './settle.js'

/** The folder that `npm run pictures` sets for pictures of the examples. */
const folder = process.env.KASSA_PICTURES

/** What tells controls that look alike from others: their class, and the state that they write. */
const kindOf = (page: Page): Promise<string[]> =>
  page.locator(controls).evaluateAll((elements) =>
    elements.map((element) =>
      [...element.attributes]
        .filter(({ name }) =>
          /^(class|type|disabled|data-(kassa|look|action|pending)|aria-disabled)$/.test(name),
        )
        .map(({ name, value }) => `${name}=${value}`)
        .join(' '),
    ),
  )

const drawnKinds = new Set<string>()

/** Draws every control that is of a new kind, at rest, under the mouse, with the focus and pressed. */
const takeControls = async (page: Page, id: string): Promise<void> => {
  const kinds = await kindOf(page)
  const chosen = kinds.flatMap((kind, index) => {
    const isNew = !drawnKinds.has(kind)
    drawnKinds.add(kind)
    return isNew ? [index] : []
  })
  for (const theme of colorSchemes) {
    await page.emulateMedia({ colorScheme: theme })
    for (const state of pseudoStates)
      await withPseudoState(page, state, async () => {
        await settle(page)
        for (const index of chosen) {
          const control = page.locator(controls).nth(index)
          // What is hidden until it has the focus has no box.
          const box = await control.boundingBox()
          if (!box || box.width < 2 || !(await control.isVisible())) continue
          await control.scrollIntoViewIfNeeded()
          const { x, y, width, height } = (await control.boundingBox()) ?? box
          const clip = {
            x: Math.max(0, x - 8),
            y: Math.max(0, y - 8),
            width: width + 16,
            height: height + 16,
          }
          const path = join(folder ?? '', 'controls', `${id}-${index}.${theme}-${state}.png`)
          await page.screenshot({ path, clip })
        }
      })
  }
}

/** Draws a page in the state that it is in, and its controls in theirs, if pictures are wanted. */
export const takePictures = async (page: Page, id: string): Promise<void> => {
  if (!folder) return
  const size = page.viewportSize()
  for (const view of views) {
    await page.setViewportSize({ width: view.width, height: 800 })
    await page.emulateMedia({ colorScheme: view.theme as ColorScheme })
    await settle(page)
    await page.screenshot({
      path: join(folder, folderOf(view), `${id}.png`),
      fullPage: true,
      animations: 'disabled',
    })
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await takeControls(page, id)
  if (size) await page.setViewportSize(size)
}
