import type { Page } from 'playwright'
import { listFaintTexts } from '../../helpers/contrast.js'
import { controls, type PseudoState, pseudoStates, withPseudoState } from '../../helpers/pseudoStates.js'
import { listTooWide } from './looks.js'
import { settle } from './settle.js'

/** What a page prefers or is told to be. */
export type ColorScheme = 'light' | 'dark'

export const colorSchemes = ['light', 'dark'] as const satisfies ColorScheme[]

/** The narrowest screen, in CSS pixels, that everything must fit on. */
const minWidth = 320

/**
 * Finds amounts that are missing: parts that have an amount or a quantity and show none, the total of an order that
 * has a price, and terms without a description.
 */
const listEmptyAmounts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const find = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)]
    const isDrawn = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true })
    // A price of zero is shown as a word.
    const isFree = ({ dataset, innerText }: HTMLElement): boolean =>
      /^[0.]+$/.test(dataset.amount ?? '') && innerText.trim() !== ''
    const hasNumber = (element: HTMLElement): boolean => /\p{N}/u.test(element.innerText) || isFree(element)
    const stages = ['expired', 'insufficient-funds', 'ready-to-pay', 'paying', 'delivering', 'completed']
    const withAmount = ['amount', 'quantity', 'balance', 'missing', 'time-left'].map(
      (name) => `[data-kassa][data-${name}]`,
    )
    const parts = find(
      [...withAmount, ...stages.map((stage) => `[data-stage="${stage}"] [data-kassa="total"]`)].join(),
    )
    const terms = find('main dd, [data-kassa] dd').filter(
      (value) => !value.innerText.trim() && !value.querySelector('img, svg'),
    )
    return [
      ...parts
        .filter((part) => isDrawn(part) && !hasNumber(part))
        .map((part) => `${part.getAttribute('data-kassa')} shows no number`),
      ...terms
        .filter(isDrawn)
        .map((value) => `nothing stands beside “${value.previousElementSibling?.textContent}”`),
    ]
  })

type Look = { name: string; isLive: boolean; isFocused: boolean; isTyped: boolean; look: string }

/** Reads how each control looks, with what is in it and the label that it is in. */
const readLooks = (page: Page, scope: string): Promise<Look[]> =>
  page.evaluate((selector) => {
    const properties = [
      'color',
      'background-color',
      'border-color',
      'outline',
      'box-shadow',
      'text-decoration',
      'filter',
      'opacity',
      'transform',
      'scale',
      'translate',
    ]
    const read = (element: Element, pseudo?: string): string => {
      const style = getComputedStyle(element, pseudo)
      return properties.map((property) => style.getPropertyValue(property)).join()
    }
    return [...document.querySelectorAll<HTMLElement>(selector)].map((control) => {
      const label = control.closest('label')
      const card = control.closest('article, li')
      const around = [label, card, ...(card ?? control).querySelectorAll('*')].filter((each) => each !== null)
      const words = [label, control, (control as HTMLInputElement).labels?.[0]].map((each) =>
        each?.innerText.trim(),
      )
      const name = words.find(Boolean) ?? control.getAttribute('aria-label') ?? control.id
      return {
        name: `the ${control.tagName.toLowerCase()} “${name.split('\n')[0]}”`,
        isFocused: control.matches(':focus'),
        // Nothing happens to what is chosen already.
        isLive: control.checkVisibility() && !control.matches(':disabled, :checked, [aria-disabled="true"]'),
        isTyped: control.matches('select, textarea, input:not([type="radio"], [type="checkbox"])'),
        look: [read(control), read(control, '::after'), ...around.map((each) => read(each))].join(';'),
      }
    })
  }, `${scope} ${controls}`)

/** Finds controls that look in two states the same. What is typed into shows the focus alone. */
const listUndrawnStates = (looks: ReadonlyMap<PseudoState, Look[]>): string[] =>
  (
    [
      ['hover', 'rest'],
      ['focus', 'rest'],
      ['pressed', 'hover'],
    ] as const
  ).flatMap(([state, before]) =>
    (looks.get(state) ?? []).flatMap(({ name, isLive, isTyped, look }, index) => {
      const last = looks.get(before)?.[index]
      const isSame = last?.name === name && last.look === look
      const isDue = state === 'focus' ? !last?.isFocused : isLive && !isTyped
      return isSame && isDue ? [`${name} looks in ${state} as in ${before}`] : []
    }),
  )

/** Makes a page light or dark by what its visitor prefers. */
const preferColorScheme = (page: Page, colorScheme: ColorScheme): Promise<void> =>
  page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })

type Options = {
  /** Selects what is looked at. */
  scope?: string
  setColorScheme?: typeof preferColorScheme
  /** Selects what has a stylesheet, where controls must look different in each state. */
  styled?: string | undefined
  states?: readonly PseudoState[]
}

/**
 * Looks at a page in the state that it is in now, and lists what is wrong: missing amounts, faint texts and controls
 * that do not answer, at rest, under the mouse, with the focus and pressed, light and dark, and what is too wide for
 * the narrowest screen.
 */
export const inspect = async (
  page: Page,
  { scope = 'body', setColorScheme = preferColorScheme, styled, states = pseudoStates }: Options = {},
): Promise<string[]> => {
  const problems = await listEmptyAmounts(page)
  await page.mouse.move(0, 0)
  for (const scheme of colorSchemes) {
    await setColorScheme(page, scheme)
    const looks = new Map<PseudoState, Look[]>()
    for (const state of states)
      await withPseudoState(page, state, async () => {
        await settle(page)
        for (const { text, part, contrast } of await listFaintTexts(page.locator(scope)))
          problems.push(
            `${scheme}, ${state}: “${text}”${part ? ` (${part})` : ''} has a contrast of ${contrast}`,
          )
        if (styled) looks.set(state, await readLooks(page, styled))
      })
    problems.push(...listUndrawnStates(looks).map((problem) => `${scheme}: ${problem}`))
  }
  const size = page.viewportSize()
  await page.setViewportSize({ width: minWidth, height: size?.height ?? 640 })
  problems.push(...(await listTooWide(page)).map((what) => `too wide for ${minWidth} px: ${what}`))
  if (size) await page.setViewportSize(size)
  return [...new Set(problems)]
}
