import type { Locator, Page } from 'playwright'
import { expect } from 'vitest'

/** Lists what makes a page wider than its window: the elements that end beyond it. */
export const listTooWide = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { documentElement, body } = document
    if (documentElement.scrollWidth <= window.innerWidth) return []
    const beyond = [...body.querySelectorAll('*')].filter(
      (element) => element.getBoundingClientRect().right > window.innerWidth + 0.5,
    )
    const innermost = beyond.filter(
      (element) => !beyond.some((other) => other !== element && element.contains(other)),
    )
    return (innermost.length > 0 ? innermost : [body]).map(({ outerHTML }) => outerHTML.slice(0, 200))
  })

/** Holds a page to it that nothing has to be scrolled sideways. */
export const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  expect(await listTooWide(page)).toEqual([])
}

/** The side of the smallest thing that may be aimed at, in CSS pixels. */
const minSide = 24

/** Holds a page to it that everything that can be pressed is large enough to be aimed at; a label counts as its field. */
export const expectLargeTargets = async (page: Page): Promise<void> => {
  const small = await page.evaluate((least) => {
    const inTheWay = document.querySelector('dialog[open]') ?? document
    return [...inTheWay.querySelectorAll('a[href],button,input:not([type=hidden]),summary')]
      .filter((element) => element.checkVisibility())
      .map((element) => element.closest('label') ?? element)
      .map((target) => ({ target, box: target.getBoundingClientRect() }))
      .filter(({ box }) => Math.min(box.width, box.height) < least)
      .map(({ target, box }) => `${target.outerHTML} ${box.width}×${box.height}`)
  }, minSide)
  expect(small).toEqual([])
}

/** What sets a thing off from what is behind it. */
export type Look = { background: string; hasBorder: boolean; borderWidth: number }

/** Reads what sets a thing off from what is behind it. */
export const readLook = (target: Locator): Promise<Look> =>
  target.evaluate((element) => {
    const { borderTopStyle, borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(element)
    return {
      background: backgroundColor,
      hasBorder: borderTopStyle !== 'none' && borderTopColor !== backgroundColor,
      borderWidth: Number.parseFloat(borderTopWidth),
    }
  })
