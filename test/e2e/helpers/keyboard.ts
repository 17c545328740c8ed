import type { Locator, Page } from 'playwright'
import { expect } from 'vitest'

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement)

/** Whether the focus can be seen: on its element, on what is drawn over it, or on the label around it. */
const isFocusVisible = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const isDrawn = ({ outlineStyle, outlineWidth }: CSSStyleDeclaration): boolean =>
      outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    const element = document.activeElement
    if (!element || element === document.body) return false
    const label = element.closest('label')
    return [
      getComputedStyle(element),
      getComputedStyle(element, '::after'),
      ...(label ? [getComputedStyle(label)] : []),
    ].some(isDrawn)
  })

/** Shows the tag of what has the focus. */
const describeFocus = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.outerHTML.split('>')[0] ?? 'nothing')

/** More than there is to stop at on any page. */
const maxStops = 40

/** Expects that the page has moved the focus here, and that the focus is visible. */
export const expectFocus = async (page: Page, target: Locator): Promise<void> => {
  await expect.poll(() => hasFocus(target)).toBe(true)
  expect(await isFocusVisible(page)).toBe(true)
}

/** Waits for what the page moves in its next frame, such as the focus from the end of a dialog to its beginning. */
const waitForFrames = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

const dialogs = '[role=dialog], [role=alertdialog]'

/** Waits until the focus is in the dialog of the target or, if it is in none, until no dialog is open or closing. */
const settle = async (page: Page, target: Locator): Promise<void> => {
  await expect
    .poll(() =>
      target.evaluate((element, selector) => {
        const dialog = element.closest(selector)
        const { activeElement } = element.ownerDocument
        if (dialog) return dialog.contains(activeElement)
        // The page scrolls again once the dialog has given the focus back.
        const { body } = element.ownerDocument
        return !body.querySelector(selector) && body.style.overflow !== 'hidden'
      }, dialogs),
    )
    .toBe(true)
  // The page moves the focus after that.
  await waitForFrames(page)
}

/** Goes on by the tab key to what is looked for, seeing the focus at each stop. */
export const tabTo = async (page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
  await settle(page, target)
  for (let stops = 0; stops < maxStops; stops += 1) {
    await page.keyboard.press(key)
    await waitForFrames(page)
    if (!(await isFocusVisible(page))) throw new Error(`the focus is not seen: ${await describeFocus(page)}`)
    if (await hasFocus(target)) return
  }
  throw new Error(`the tab key does not lead to ${target}`)
}

/** Goes to a button or a link and presses it. */
export const pressAt = async (page: Page, target: Locator): Promise<void> => {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}
