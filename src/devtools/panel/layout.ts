/** The side of the page at which the panel is docked. */
export type Side = 'bottom' | 'right'

/** What is remembered of the panel: whether it is open, and its size at each side, in CSS pixels. */
export type Layout = { isOpen: boolean } & Record<Side, number>

/** The smallest size at each side, in CSS pixels. */
export const minSizes: Readonly<Record<Side, number>> = { bottom: 160, right: 320 }

/** The part of the window's height or width that the panel may take. */
export const maxShares: Readonly<Record<Side, number>> = { bottom: 0.8, right: 0.6 }

/** The window's width from which the panel is docked. In a narrower one it stands at the end of the page. */
export const dockedFrom = '56rem'

const key = 'kassa.devtools'

/** Reads what is remembered. What is not, or is no longer understood, is as on a first visit. */
export const readLayout = (isOpen: boolean): Layout => {
  const first: Layout = { isOpen, bottom: 320, right: 480 }
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    const isSame = ([name, value]: [string, unknown]) => typeof value === typeof Reflect.get(first, name)
    return { ...first, ...Object.fromEntries(Object.entries(stored ?? {}).filter(isSame)) }
  } catch {
    // Storage may be blocked, or hold what another version wrote.
    return first
  }
}

/** Remembers a layout for the next visit. */
export const storeLayout = (layout: Layout): void => {
  try {
    localStorage.setItem(key, JSON.stringify(layout))
  } catch {
    // Without storage it lasts until the page is left.
  }
}

/**
 * Pads the page at one side, so that its content ends beside the docked panel and not below it.
 *
 * @param sizePx - The panel's size, in CSS pixels.
 * @returns A function that takes the room away again.
 */
export const reserveRoom = (side: Side, sizePx: number): (() => void) => {
  const room = `min(${sizePx}px, ${maxShares[side] * 100}${side === 'bottom' ? 'vh' : 'vw'})`
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    `@media screen and (width >= ${dockedFrom}) {
      :root { padding-${side}: ${room} !important; scroll-padding-${side}: ${room} !important; }
    }`,
  )
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
  }
}
