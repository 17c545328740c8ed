import { createOrder, createServerClient, orderCookie } from 'kassa/server'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Stack, startStack } from '../../scripts/lib/stack.mjs'
import { openBrowser } from './helpers/browser.js'
import { freshDataDir } from './helpers/dataDir.js'

const dataDir = freshDataDir('sharing')
let stack: Stack
let browser: Browser
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ dataDir }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const at = (path: string): string => new URL(path, stack.storefrontUrl).href

type Head = { metas: Record<string, string>; links: Record<string, string>; data: string[]; html: string }

/** Reads a page as a crawler does, which runs none of its scripts. */
const crawl = async (path: string, cookie?: { name: string; value: string }): Promise<Head> => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  try {
    if (cookie) {
      const { name, value } = cookie
      await context.addCookies([{ name, value, url: stack.storefrontUrl }])
    }
    const page = await context.newPage()
    await page.goto(at(path))
    return await page.evaluate(() => {
      const metas = [...document.head.querySelectorAll('meta[content]')].map((meta) => {
        const names = ['property', 'name', 'media'].map((name) => meta.getAttribute(name))
        return [names.filter(Boolean).join(' '), meta.getAttribute('content') ?? '']
      })
      const links = [...document.head.querySelectorAll('link')].map(({ rel, href }) => [rel, href])
      const scripts = [...document.querySelectorAll('script[type="application/ld+json"]')]
      return {
        metas: Object.fromEntries(metas),
        links: Object.fromEntries(links),
        data: scripts.map(({ textContent }) => textContent ?? ''),
        html: document.head.innerHTML,
      }
    })
  } finally {
    await context.close()
  }
}

const expectPicture = async (url: string | undefined, type = 'image/png'): Promise<void> => {
  const response = await fetch(url ?? '')
  expect([response.status, response.headers.get('content-type')], url).toEqual([200, type])
  expect((await response.arrayBuffer()).byteLength, url).toBeGreaterThan(100)
}

const readPaths = async (): Promise<string[]> => {
  const sitemap = await (await fetch(at('/sitemap.xml'))).text()
  return [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => new URL(url ?? '').pathname)
}

test('default: the sitemap lists the shop and its editions', async () => {
  expect(await readPaths()).toEqual([
    '/',
    '/editions/dunes-at-dusk',
    '/editions/coral-lattice',
    '/editions/quiet-orbit',
    '/editions/night-ferry',
  ])
})

test('behavior: each of these pages has a card with a picture and a canonical address', async () => {
  for (const path of await readPaths()) {
    const { metas, links } = await crawl(path)
    expect(metas, path).not.toHaveProperty('robots')
    expect(new URL(links.canonical ?? '').href, path).toBe(at(path))
    expect(new URL(metas['og:url'] ?? '').href, path).toBe(at(path))
    expect(metas, path).toMatchObject({
      description: expect.stringMatching(/\w/),
      'og:type': 'website',
      'og:site_name': 'Recto',
      'og:title': metas['twitter:title'],
      'og:description': metas.description,
      'og:image': expect.stringContaining(at('/')),
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': expect.stringMatching(/\w/),
      'twitter:card': 'summary_large_image',
      'twitter:image': metas['og:image'],
      'theme-color (prefers-color-scheme: light)': '#fcfcfb',
      'theme-color (prefers-color-scheme: dark)': '#121317',
    })
    await expectPicture(metas['og:image'])
  }
})

test('behavior: an edition describes itself as a product with an offer', async () => {
  const { metas, data } = await crawl('/editions/coral-lattice')
  expect(metas['og:title']).toBe('Coral Lattice, 18.50\u00a0USDC')
  expect(data.map((text) => JSON.parse(text))).toMatchObject([
    {
      '@type': 'Product',
      name: 'Coral Lattice',
      image: expect.stringContaining(`${stack.serviceUrl}/ipfs/`),
      offers: { price: '18.50', priceCurrency: 'USDC', url: at('/editions/coral-lattice') },
    },
  ])
})

test('behavior: pages of one visitor are not indexed, and a card holds no secret', async () => {
  const client = createServerClient({
    baseUrl: `${stack.serviceUrl}/api`,
    apiKey: stack.sandbox.serverKey,
  })
  const { order, clientSecret } = await createOrder(client, {
    body: {
      recipient: { email: 'ada@example.com' },
      payment: { method: 'base-sepolia', currency: 'eth' },
      lineItems: [{ collectionLocator: 'kassa:dunes-at-dusk' }],
    },
  })
  const { orderId } = order
  const cookie = orderCookie({ orderId, clientSecret }, { isSecure: false })
  const paths = [`/checkout/${orderId}`, `/checkout/${orderId}/panel`, '/orders', '/wallet', '/sandbox/mails']
  for (const path of paths) {
    const { metas, html } = await crawl(path, cookie)
    expect(metas, path).toMatchObject({ robots: 'noindex' })
    expect(metas, path).not.toHaveProperty('og:url')
    for (const secret of [clientSecret, orderId, 'ada@example.com', stack.sandbox.serverKey])
      expect(html.includes(secret), path).toBe(false)
  }
})

test('behavior: robots, manifest and icons', async () => {
  const robots = await (await fetch(at('/robots.txt'))).text()
  expect(robots).toContain('Disallow: /api/')
  expect(robots).toContain(`Sitemap: ${at('/sitemap.xml')}`)
  const { links } = await crawl('/')
  const manifest = await (await fetch(links.manifest ?? '')).json()
  expect(manifest).toMatchObject({ name: 'Recto: digital editions', start_url: '/' })
  for (const { src, type } of manifest.icons) await expectPicture(at(src), type)
  await expectPicture(links.icon, 'image/svg+xml')
  await expectPicture(links['apple-touch-icon'])
})

test('error: the card of an edition that is not on sale', async () => {
  expect((await fetch(at('/editions/none/opengraph-image'))).status).toBe(404)
})
