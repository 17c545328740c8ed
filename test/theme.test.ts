import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { brotliCompressSync } from 'node:zlib'
import { Checkout, type CheckoutValue } from 'kassa'
import { type Browser, chromium, type Locator } from 'playwright'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBrowser } from '../scripts/browser.mjs'
import { createCheckout } from '../stories/fixtures/checkout.js'
import { moments } from '../stories/fixtures/moments.js'
import { orders } from '../stories/fixtures/orders.js'
import { connectedBuyer, contracts, Wallet } from '../stories/fixtures/wallet.js'
import { listFaintTexts } from './helpers/contrast.js'
import { listPartNames } from './helpers/partNames.js'
import { pseudoStates, withPseudoState } from './helpers/pseudoStates.js'
import { readSource } from './helpers/sources.js'
import { listRules, readStyles } from './helpers/styles.js'
import { isChange } from './scope.js'

/** Eric Meyer's reset, in the public domain, without the elements that no part renders. */
const meyer = `
  html, body, div, span, h1, h2, h3, p, a, code, img, small, strong, u, b, i, dl, dt, dd, ol, ul, li, form, label,
  details, output, section, summary, time { margin: 0; padding: 0; border: 0; font-size: 100%; font: inherit; vertical-align: baseline }
  details, section { display: block }
  body { line-height: 1 }
  ol, ul { list-style: none }`

const css = readSource('src/theme.css')
const [guard, layer, ...more] = readStyles(css).rules
const root = layer?.rules[0]
const rules = root ? listRules(root) : []
const declarations = rules.flatMap((rule) => rule.declarations)
const isOwn = (property: string): boolean => property.startsWith('--')

/** A selector without what weighs nothing: what is left of it could win against a rule of the app. */
const weigh = (selector: string): string => {
  const lighter = selector.replace(/:where\([^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*\)/g, '')
  return lighter.replace(/::(before|after|-webkit-details-marker)|[&,*\s]/g, '')
}

test('default', () => {
  const { exports, sideEffects } = JSON.parse(readSource('package.json'))
  expect(exports['./theme.css']).toEqual({
    types: './src/theme.css.d.ts',
    '@kassa/source': './src/theme.css',
    default: './dist/theme.css',
  })
  // An import is for its side effect alone, so a bundler must not drop it.
  expect(sideEffects).toEqual(['**/*.css'])
})

describe('behavior: touches nothing but a checkout, and any class of the app wins', () => {
  test('everything is in one layer, and in it below the root', () => {
    expect(layer?.head).toBe('@layer kassa')
    expect(more).toEqual([])
    const [, ...others] = layer?.rules ?? []
    expect(root?.head).toBe(':where([data-kassa="root"])')
    expect(others.map(({ head }) => head)).toSatisfy((heads: string[]) =>
      heads.every((head) => /^@keyframes kassa-/.test(head)),
    )
    expect(rules.length).toBeGreaterThan(60)
  })

  test('no selector has a specificity', () => {
    const selectors = rules.map(({ head }) => head).filter((head) => !head.startsWith('@'))
    expect(selectors.filter((selector) => weigh(selector) !== '')).toEqual([])
    expect(weigh(':where([data-kassa="pay"]:not([aria-disabled]))::before, &')).toBe('')
    expect(weigh(':where(a) [data-kassa="pay"]:hover')).toBe('[data-kassa="pay"]:hover')
  })

  test('what is in no layer sets nothing, and weighs less than a class', () => {
    const declared = guard ? listRules(guard).flatMap(({ declarations }) => declarations) : []
    expect(declared).toEqual([['all', 'revert-layer']])
    expect(weigh(guard?.head ?? '')).toBe(':not(iiii)')
  })

  test('nothing is important', () => {
    expect(css).not.toContain('!important')
  })
})

test('behavior: every part it names is one', () => {
  const names = [...css.matchAll(/\[data-kassa="([^"]+)"\]/g)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter((name) => !listPartNames().includes(name ?? ''))).toEqual([])
})

describe('behavior: a colour is a property', () => {
  const keywords = /\b(white|black|red|green|blue|gray|grey|orange|transparent|currentcolor|canvas\w*)\b/i
  const hasColour = (value: string): boolean =>
    /#[\da-f]{3,8}\b|\b(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(/i.test(value) || keywords.test(value)

  test('and nothing else names one', () => {
    const plain = declarations.filter(([property]) => !isOwn(property))
    expect(plain.length).toBeGreaterThan(200)
    expect(plain.filter(([, value]) => hasColour(value))).toEqual([])
    expect(declarations.filter(([, value]) => hasColour(value)).length).toBeGreaterThan(9)
  })

  test('that the top of the file tells of', () => {
    const [told = ''] = css.split('*/')
    const documented = [...told.matchAll(/^ \* {3}(--kassa-[\w-]+)/gm)].map(([, name]) => name)
    const read = declarations.flatMap(([, value]) => value.match(/--kassa-[\w-]+/g) ?? [])
    expect(documented.sort()).toEqual([...new Set(read)].sort())
    expect(declarations.filter(([property]) => property.startsWith('--kassa-'))).toEqual([])
  })
})

test('behavior: nothing that is drawn is read, too', () => {
  const drawn = declarations.filter(([property, value]) => property === 'content' && value !== '""')
  expect(drawn.length).toBeGreaterThan(3)
  expect(drawn.filter(([, value]) => !value.endsWith(' / ""'))).toEqual([])
})

test('behavior: both directions of writing are one', () => {
  const physical = /(^|-)(left|right|top|bottom)(-|$)|^(min-|max-)?(width|height)$/
  expect(declarations.filter(([property]) => physical.test(property))).toEqual([])
  expect(declarations.filter(([, value]) => /^(left|right)$/.test(value))).toEqual([])
  // Four lengths in a row begin at the top and go by the right.
  const sided = /^(margin|padding|inset|border-width|border-radius)$/
  const isFour = (value: string): boolean => value.replace(/\([^)]*\)/g, '').split(' ').length > 3
  expect(declarations.filter(([property, value]) => sided.test(property) && isFour(value))).toEqual([])
})

test('behavior: costs less than 4.75 kB', () => {
  expect(brotliCompressSync(css).length).toBeLessThan(4864)
})

describe('behavior: can be read', () => {
  const luminanceOf = (colour: string): number => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrastOf = (a: string, b: string): number => {
    const [light = 0, dark = 0] = [luminanceOf(a), luminanceOf(b)].sort((x, y) => y - x)
    return (light + 0.05) / (dark + 0.05)
  }
  const own = new Map(root?.declarations)
  const read = (name: string, theme: string): string =>
    new RegExp(`--k-${theme}, (#\\w+)`).exec(own.get(`--k-${name}`) ?? '')?.[1] ?? ''

  test.each([
    ['ink', 'surface', 7],
    ['quiet', 'surface', 5],
    ['accent', 'surface', 4.5],
    ['on-accent', 'accent', 4.5],
    ['bad', 'surface', 4.5],
    ['warn', 'surface', 4.5],
    ['edge', 'surface', 3],
  ])('%s on %s by %d', (ink, ground, least) => {
    for (const theme of ['light', 'dark'])
      expect(contrastOf(read(ink, theme), read(ground, theme)), theme).toBeGreaterThan(least)
  })
})

describe('behavior: can be read on a page with its own styles', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch(findBrowser())
  })
  afterAll(() => browser?.close())

  /** The moments of a purchase that look different, with a wallet connected, and without one. */
  const values: CheckoutValue[] = [
    moments.Loading,
    moments['Funds too low'],
    moments['Ready to pay'],
    moments['Last minute'],
    moments['Price expired'],
    moments['Price changed'],
    moments['In the wallet'],
    moments.Declined,
    moments['Being delivered'],
    moments.Delivered,
    ...[orders.requiresPhysicalAddress, orders.requiresEmail, orders.completedWithFailure].map((order) =>
      createCheckout(order, { edit: () => {} }),
    ),
  ]
  const wallets = [
    ...values.map((value) => [connectedBuyer, value] as const),
    [undefined, moments['Ready to pay']] as const,
  ]
  const markup = wallets
    .map(([account, value]) =>
      renderToStaticMarkup(
        createElement(Wallet, { account, children: createElement(Checkout.Panel, { value }) }),
      ),
    )
    .join('')

  /** With what a buyer opens, and a part paid. */
  const opened = `${markup}${[orders.underpaid, orders.underpaidRefunded]
    .map((order) =>
      renderToStaticMarkup(
        createElement(Wallet, {
          account: connectedBuyer,
          contracts,
          children: createElement(Checkout.Panel, { value: createCheckout(order, { edit: () => {} }) }),
        }),
      ),
    )
    .join('')}`

  /** The colours of a text and of what is behind it. */
  const readPair = (element: Locator) =>
    element.evaluate((drawn) => {
      const { backgroundColor, color } = getComputedStyle(drawn)
      return { background: backgroundColor, text: color }
    })
  const readFont = (element: Locator) =>
    element.evaluate((drawn) => {
      const { fontWeight, fontSize } = getComputedStyle(drawn)
      return `${fontWeight} ${fontSize}`
    })
  const read = (file: string): string => readFileSync(createRequire(import.meta.url).resolve(file), 'utf8')

  const styles = {
    'a reset of text': 'button, input { font: inherit; color: inherit } a { color: inherit }',
    'a reset of backgrounds': 'button, input, select { background: none; border-color: transparent }',
    'buttons of its own': 'body main button { background: #f9f9f9; border-color: #f9f9f9 }',
    'dark text': 'p, span, li, label, code, time { color: #16171d } code { background: #eeeeee }',
    'modern-normalize': read('modern-normalize/modern-normalize.css'),
    'normalize.css': read('normalize.css/normalize.css'),
    'sanitize.css': ['sanitize.css', 'forms.css', 'typography.css']
      .map((file) => read(`sanitize.css/${file}`))
      .join('\n'),
    'Tailwind CSS': read('tailwindcss/preflight.css'),
    'the new CSS reset': read('the-new-css-reset/css/reset.css'),
  }
  const places = {
    'before it': (style: string) => `<style>${style}</style><style>${css}</style>`,
    'after it': (style: string) => `<style>${css}</style><style>${style}</style>`,
    'in a layer below it': (style: string) =>
      `<style>@layer base, kassa; @layer base { ${style} }</style><style>${css}</style>`,
  }
  describe.each(Object.entries(styles))('%s', (_, style) => {
    test.each(Object.entries(places))('%s', async (where, place) => {
      // A style that comes after the theme harms most; for a change, the other places are looked at in one state.
      const states = where === 'after it' || !isChange ? pseudoStates : (['rest'] as const)
      const page = await browser.newPage({ reducedMotion: 'reduce' })
      await page.setContent(
        `${place(style)}<style>:root { color-scheme: light dark }</style><main>${markup}</main>`,
      )
      const pay = page.locator('[data-kassa="pay"][data-action="pay"]').first()
      const heading = page.getByRole('heading', { name: 'Your order' }).first()
      expect(await readFont(pay)).toBe('600 16px')
      expect(await readFont(heading)).toBe('650 20px')
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const state of states)
          await withPseudoState(page, state, async () =>
            expect(await listFaintTexts(page.locator('main')), `${colorScheme}, ${state}`).toEqual([]),
          )
      }
      await page.addStyleTag({
        content: ':root { --kassa-accent: #ffd166; --kassa-on-accent: #3a2a00 }',
      })
      expect(await readPair(pay)).toEqual({ background: 'rgb(255, 209, 102)', text: 'rgb(58, 42, 0)' })
      await page.close()
    })
  })

  describe('and keeps its boxes', () => {
    const resets = {
      ...styles,
      'no margins': '* { margin: 0; padding: 0 }',
      'no margins and no borders': '*, *::before, *::after { margin: 0; padding: 0; border: 0 }',
      'buttons that are unset': 'button, input, select, summary { all: unset }',
      "Eric Meyer's": meyer,
    }
    /** Draws the panels in a column of one width and font, and lists where each element is, and how thick its edges are. */
    const readBoxes = async (sheets: string): Promise<string[]> => {
      const page = await browser.newPage({ reducedMotion: 'reduce' })
      await page.setContent(
        `<!doctype html>${sheets}<style>.column { width: 400px; --kassa-font: sans-serif }</style><main class="column">${opened}</main>`,
      )
      const boxes = await page.locator('.column').evaluate((column) =>
        [...column.querySelectorAll('[data-kassa="root"]')].flatMap((panel, at) => {
          const edge = panel.getBoundingClientRect()
          return [panel, ...panel.querySelectorAll(':not(path, rect, option)')].map((drawn) => {
            const { x, y, width, height } = drawn.getBoundingClientRect()
            const isDrawn = drawn.getClientRects().length > 0
            const place = isDrawn ? [x - edge.x, y - edge.y, width, height].map(Math.round) : ['nowhere']
            const style = getComputedStyle(drawn)
            const { paddingBlock, paddingInline, borderWidth } = style
            const after = getComputedStyle(drawn, '::after')
            const name = drawn.getAttribute('data-kassa') ?? drawn.tagName.toLowerCase()
            return `${at} ${name} ${[...place, paddingBlock, paddingInline, borderWidth, after.margin].join(' ')}`
          })
        }),
      )
      await page.close()
      return boxes
    }
    let plain: string[] = []
    beforeAll(async () => {
      plain = await readBoxes(`<style>${css}</style>`)
    })
    test.each(Object.entries(resets))('%s', async (_, reset) => {
      expect(plain.length).toBeGreaterThan(200)
      for (const [where, place] of Object.entries(places))
        expect(await readBoxes(place(reset)), where).toEqual(plain)
    })
  })

  test.each(['#000080', '#0a7d4f', '#d81b60', '#777777', '#ffd166', '#f2f2f2'])(
    'with the accent %s and no colour of its text',
    async (accent) => {
      const page = await browser.newPage({ reducedMotion: 'reduce' })
      await page.setContent(
        `<style>${css}</style><style>:root { --kassa-accent: ${accent} }</style><main>${markup}</main>`,
      )
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const state of pseudoStates)
          await withPseudoState(page, state, async () => {
            expect(await listFaintTexts(page.locator('main')), `${colorScheme}, ${state}`).toEqual([])
          })
      }
      await page.close()
    },
  )

  test('a class of the page wins, whichever comes first', async () => {
    const page = await browser.newPage()
    const style = '.mine { background: #ffe08a; color: #3a2a00 }'
    const pay = '<button class="mine" data-kassa="pay">Pay</button>'
    await page.setContent(`<style>${style}</style><style>${css}</style><div data-kassa="root">${pay}</div>`)
    const mine = { background: 'rgb(255, 224, 138)', text: 'rgb(58, 42, 0)' }
    for (const state of pseudoStates)
      await withPseudoState(page, state, async () =>
        expect(await readPair(page.locator('.mine')), state).toEqual(mine),
      )
    await page.close()
  })
})
