/**
 * What a page's headline says once the payment, and once the delivery, is there.
 * @typedef {'paid' | 'delivered'} Moment
 * @typedef {import('playwright').Page} Page
 */

/** Runs in the page before anything of its own. */
const watch = () => {
  const words = { paid: /On its way to you|arrived/, delivered: /arrived/ }
  /** @type {Partial<Record<string, number>>} */
  const seen = {}
  const look = () => {
    const text = document.querySelector('h1')?.textContent ?? ''
    for (const [moment, pattern] of Object.entries(words)) {
      if (moment in seen || !pattern.test(text)) continue
      seen[moment] = Number.NaN
      // The change is in the document; this is the frame that draws it.
      requestAnimationFrame(() => {
        seen[moment] = Date.now()
      })
    }
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
  Object.assign(window, { seen })
}

/**
 * Has a page note when its screen changes.
 * @param {Page} page
 */
export const watchScreen = (page) => page.addInitScript(watch)

/**
 * When the screen showed it, in epoch milliseconds, once it has.
 * @param {Page} page
 * @param {Moment} moment
 * @returns {Promise<number>}
 */
export const readScreen = async (page, moment) => {
  const seen = await page.waitForFunction((name) => Reflect.get(Reflect.get(window, 'seen'), name), moment)
  return seen.jsonValue()
}
