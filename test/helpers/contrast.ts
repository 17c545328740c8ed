import type { Locator } from 'playwright'

/** A text that is harder to read than WCAG 2 AA allows, and its contrast. */
export type FaintText = { text: string; part: string | null; contrast: number }

/** The least contrast of text by WCAG 2 AA. */
const minContrast = 4.5

/**
 * Lists the texts inside an element whose drawn colours contrast less than 4.5 to 1, in the state that the element is
 * in now. Fails where there is no text at all.
 */
export const listFaintTexts = async (scope: Locator): Promise<FaintText[]> => {
  const texts = await scope.evaluate((root): FaintText[] => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    if (!canvas) throw new Error('The browser draws nothing.')
    /** Draws colours over each other, the last one uppermost, and reads the pixel. */
    const draw = (colours: readonly string[]): number[] => {
      canvas.clearRect(0, 0, 1, 1)
      for (const colour of colours) {
        canvas.fillStyle = colour
        canvas.fillRect(0, 0, 1, 1)
      }
      return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
    }
    const luminanceOf = (pixel: readonly number[]): number => {
      const [r = 0, g = 0, b = 0] = pixel.map((value) => {
        const part = value / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const groundsOf = (element: Element): string[] => {
      const { backgroundColor } = getComputedStyle(element)
      const outer = element.parentElement ? groundsOf(element.parentElement) : ['Canvas']
      return [...outer, backgroundColor]
    }
    const isDrawn = (element: Element): boolean => {
      const { width, height } = element.getBoundingClientRect()
      return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true })
    }
    const ownText = (element: Element): string => {
      if (element instanceof HTMLSelectElement) return element.selectedOptions[0]?.text ?? ''
      if (element instanceof HTMLInputElement) return element.value
      const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      return texts.map(({ textContent }) => textContent?.trim()).join('')
    }
    return [root, ...root.querySelectorAll('*')]
      .filter((element) => ownText(element) !== '' && isDrawn(element))
      .map((element) => {
        const grounds = groundsOf(element)
        const [light = 0, dark = 0] = [
          luminanceOf(draw(grounds)),
          luminanceOf(draw([...grounds, getComputedStyle(element).color])),
        ].sort((a, b) => b - a)
        const contrast = Math.round(((light + 0.05) / (dark + 0.05)) * 100) / 100
        return { text: ownText(element), part: element.getAttribute('data-kassa'), contrast }
      })
  })
  if (texts.length === 0) throw new Error('There is no text to measure.')
  return texts.filter(({ contrast }) => contrast < minContrast)
}
