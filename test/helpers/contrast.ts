import type { Locator } from 'playwright'
import { PNG } from 'pngjs'

/** A text that is harder to read than WCAG 2 AA allows, and its contrast. */
export type FaintText = { text: string; part: string | null; contrast: number }

type Measured = FaintText & {
  min: number
  /** Set where styles do not tell the colours: the number by which the text's element is found again. */
  unclear?: number
}

type Colour = readonly [r: number, g: number, b: number, a: number]

/** Marks the elements whose colours only the drawn page tells. */
const mark = 'data-unclear'

/**
 * Lists the texts inside an element that contrast less than WCAG 2 AA allows, in the state that the element is in now:
 * 4.5 to 1, or 3 to 1 for large text. Colours come from the styles, and from the drawn pixels where a picture, a
 * gradient, a filter or something beside its parents is behind a text. Fails where there is no text at all.
 */
export const listFaintTexts = async (scope: Locator): Promise<FaintText[]> => {
  const texts = await scope.evaluate(measureByStyles, mark)
  if (texts.length === 0) throw new Error('There is no text to measure.')
  const seen: Measured[] = []
  for (const text of texts)
    seen.push(
      text.unclear === undefined
        ? text
        : { ...text, contrast: await measureByPixels(scope, `[${mark}="${text.unclear}"]`) },
    )
  return seen
    .filter(({ contrast, min }) => contrast < min)
    .map(({ text, part, contrast }) => ({ text, part, contrast }))
}

/** Runs in the page. */
const measureByStyles = (root: HTMLElement | SVGElement, markName: string): Measured[] => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  if (!canvas) throw new Error('The browser draws nothing.')
  const known = new Map<string, Colour>()
  const readColour = (value: string): Colour => {
    const cached = known.get(value)
    if (cached) return cached
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = value
    canvas.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0, a = 0] = canvas.getImageData(0, 0, 1, 1).data
    const colour: Colour = [r, g, b, a / 255]
    known.set(value, colour)
    return colour
  }
  const mix = (under: Colour, over: Colour, share: number): Colour => {
    const at = (index: 0 | 1 | 2) => under[index] * (1 - share) + over[index] * share
    return [at(0), at(1), at(2), 1]
  }
  const draw = (under: Colour, colour: Colour): Colour => mix(under, colour, colour[3])
  const luminanceOf = (colour: Colour): number => {
    const at = (index: 0 | 1 | 2) => {
      const part = colour[index] / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    }
    return 0.2126 * at(0) + 0.7152 * at(1) + 0.0722 * at(2)
  }
  /** What is drawn at a text, from the page's ground up to the text itself, or up to its ground. */
  const drawDown = (styles: CSSStyleDeclaration[], under: Colour, ink: Colour | undefined): Colour => {
    const [style, ...inner] = styles
    if (!style) return ink ? draw(under, ink) : under
    const own = draw(under, readColour(style.backgroundColor))
    return mix(under, drawDown(inner, own, ink), Number(style.opacity))
  }
  const hidesColours = ({ filter, mixBlendMode, backdropFilter, maskImage }: CSSStyleDeclaration): boolean =>
    filter !== 'none' || mixBlendMode !== 'normal' || backdropFilter !== 'none' || maskImage !== 'none'
  /** Whether something that styles of its parents do not tell of is behind a text. */
  const isUnclear = (styles: CSSStyleDeclaration[]): boolean => {
    if (styles.some(hidesColours)) return true
    let isMoved = false
    for (const style of styles.toReversed()) {
      if (style.backgroundImage !== 'none' || (isMoved && style !== styles[0])) return true
      if (readColour(style.backgroundColor)[3] === 1) return false
      isMoved = style.position === 'absolute' || style.position === 'fixed'
    }
    return false
  }
  const isLarge = ({ fontSize, fontWeight }: CSSStyleDeclaration): boolean => {
    const px = Number.parseFloat(fontSize)
    return px >= 24 || (px >= 18.66 && Number(fontWeight) >= 700)
  }
  // Only an element knows whether the page is light or dark.
  const probe = document.documentElement.appendChild(document.createElement('span'))
  probe.style.backgroundColor = 'Canvas'
  const pageColour = readColour(getComputedStyle(probe).backgroundColor)
  probe.remove()
  const knownStyles = new Map<Element, CSSStyleDeclaration[]>()
  /** The styles of an element and of what it is in, from the outermost. */
  const stylesOf = (element: Element): CSSStyleDeclaration[] => {
    const cached = knownStyles.get(element)
    if (cached) return cached
    const outer = element.parentElement ? stylesOf(element.parentElement) : []
    const styles = [...outer, getComputedStyle(element)]
    knownStyles.set(element, styles)
    return styles
  }
  const isDrawn = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect()
    return (
      width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    )
  }
  /** Texts that stylesheets add; a sign such as ✓ is none. */
  const addedText = (element: Element, pseudo: string): [string, CSSStyleDeclaration][] => {
    const style = getComputedStyle(element, pseudo)
    const content = /^"(.*?)"/.exec(style.content)?.[1] ?? ''
    return /\p{L}{2}|\d/u.test(content) ? [[content, style]] : []
  }
  const textsOf = (element: Element): [string, CSSStyleDeclaration][] => {
    const style = getComputedStyle(element)
    if (element instanceof HTMLSelectElement) return [[element.selectedOptions[0]?.text ?? '', style]]
    if (element instanceof HTMLInputElement) {
      if (/^(hidden|radio|checkbox|range)$/.test(element.type)) return []
      return element.value
        ? [[element.value, style]]
        : [[element.placeholder, getComputedStyle(element, '::placeholder')]]
    }
    const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
    return [
      [own.map(({ textContent }) => textContent?.trim()).join(''), style],
      ...addedText(element, '::before'),
      ...addedText(element, '::after'),
    ]
  }
  for (const marked of document.querySelectorAll(`[${markName}]`)) marked.removeAttribute(markName)
  let count = 0
  return [root, ...root.querySelectorAll('*')]
    .filter((element) => !/^(option|script|style|noscript|title)$/i.test(element.tagName) && isDrawn(element))
    .flatMap((element) => {
      const texts = textsOf(element).filter(([text]) => text !== '')
      if (texts.length === 0) return []
      const styles = stylesOf(element)
      const found = isUnclear(styles) ? { unclear: count++ } : {}
      if (found.unclear !== undefined) element.setAttribute(markName, String(found.unclear))
      return texts.map(([text, style]): Measured => {
        const [light = 0, dark = 0] = [
          luminanceOf(drawDown(styles, pageColour, undefined)),
          luminanceOf(drawDown(styles, pageColour, readColour(style.color))),
        ].sort((a, b) => b - a)
        const contrast = Math.round(((light + 0.05) / (dark + 0.05)) * 100) / 100
        const part = element.closest('[data-kassa]')?.getAttribute('data-kassa') ?? null
        return { text, part, contrast, min: isLarge(style) ? 3 : 4.5, ...found }
      })
    })
}

const luminanceAt = (data: Buffer, at: number): number => {
  const [r = 0, g = 0, b = 0] = [0, 1, 2].map((index) => {
    const part = (data[at + index] ?? 0) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/**
 * Reads a text's contrast from two pictures of its element: without the text, and with a bar in the text's colour
 * over it, because few pixels of a letter have its full colour.
 */
const measureByPixels = async (scope: Locator, selector: string): Promise<number> => {
  const element = scope.page().locator(selector)
  const draw = async (declarations: string): Promise<Buffer> => {
    const style = `${selector} { transition: none !important; ${declarations} }`
    return PNG.sync.read(await element.screenshot({ style, animations: 'disabled' })).data
  }
  const [ground, barred] = [
    await draw('-webkit-text-fill-color: transparent !important; text-decoration: none !important;'),
    await draw('text-decoration: line-through solid currentcolor 1.5em !important;'),
  ]
  const contrasts: number[] = []
  for (let at = 0; at < ground.length; at += 4) {
    if ([0, 1, 2].every((index) => ground[at + index] === barred[at + index])) continue
    const [light = 0, dark = 0] = [luminanceAt(ground, at), luminanceAt(barred, at)].sort((a, b) => b - a)
    contrasts.push((light + 0.05) / (dark + 0.05))
  }
  // The bar's own edges have less.
  const least = contrasts.sort((a, b) => a - b)[Math.floor(contrasts.length / 10)] ?? 1
  return Math.round(least * 100) / 100
}
