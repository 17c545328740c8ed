import { countRenders } from './countRenders.mjs'

const origin = 'https://bench.test/'
const html =
  '<!doctype html><meta charset="utf-8"><div id="root"></div><script type="module" src="/page.js"></script>'

/** Isolated, because only then a browser tells the time to the microsecond. */
const headers = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
}

/**
 * Opens a variant in a page of its own, with so many line items.
 * @param {import('playwright').Browser} browser
 * @param {ReadonlyMap<string, string>} code
 * @param {number} count
 */
export const openVariant = async (browser, code, count) => {
  const page = await browser.newPage()
  await page.addInitScript(countRenders)
  await page.route(`${origin}**`, (route) => {
    const script = code.get(new URL(route.request().url()).pathname)
    return route.fulfill({
      headers,
      contentType: script === undefined ? 'text/html' : 'text/javascript',
      body: script ?? html,
    })
  })
  await page.goto(origin)
  await page.evaluate((items) => window.updates.mount(items), count)
  return page
}
