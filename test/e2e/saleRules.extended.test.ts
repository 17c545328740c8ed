import { join } from 'node:path'
import { createClient, listOrders, updateCollection } from 'kassa/api'
import type { SaleRulesChange } from 'kassa/schema'
import type { Browser, Page } from 'playwright'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveFolder } from '../../scripts/lib/serveFolder.mjs'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { type Stack, startStack } from '../../scripts/lib/stack.mjs'
import { root } from '../helpers/sources.js'
import { openBrowser, withBuyer } from './helpers/browser.js'
import { holdClock } from './helpers/clock.js'
import { openShop } from './helpers/consoleShop.js'
import { freshDataDir } from './helpers/dataDir.js'
import { takePictures } from './helpers/takePictures.js'

const dataDir = freshDataDir('sale-rules')
const collectionId = 'dunes-at-dusk'
const stranger = '0x00000000000000000000000000000000000000cc'

let stack: Stack
let browser: Browser
let vite: Awaited<ReturnType<typeof serveFolder>>

/** The Vite example, built for the service of this test. */
const serveVite = async () => {
  const outDir = join(dataDir, 'vite')
  await build({
    root: join(root, 'examples/vite'),
    build: { outDir, emptyOutDir: true },
    define: {
      'import.meta.env.VITE_KASSA_BASE_URL': JSON.stringify(`${stack.serviceUrl}/api`),
      'import.meta.env.VITE_KASSA_CLIENT_KEY': JSON.stringify(stack.sandbox.clientKey),
    },
    logLevel: 'error',
  })
  return serveFolder(outDir)
}

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ dataDir }), openBrowser()])
  vite = await serveVite()
})
afterAll(async () => {
  vite?.stop()
  await browser?.close()
  await stack?.stop()
})

const merchant = () => createClient({ baseUrl: `${stack.serviceUrl}/api`, apiKey: stack.sandbox.serverKey })

const setSale = (sale: SaleRulesChange | null) =>
  updateCollection(merchant(), { collectionId, body: { sale } })

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString()

/** Waits until the page shows words. Some sentences have a hidden twin, which does not count. */
const says = (page: Page, words: RegExp | string) =>
  page.getByRole('main').getByText(words).filter({ visible: true }).first().waitFor()

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Opens the sale to the buyer, and lets the time pass that the page counts down. */
const waitForOpening = async (page: Page): Promise<void> => {
  await says(page, /Opens in \d+:\d\d/)
  await setSale(null)
  await page.clock.setSystemTime(Date.now() + 3_600_000)
  await page.getByRole('button', { name: 'Get a new price' }).waitFor()
  await press(page, 'Get a new price')
  await page.clock.setSystemTime(Date.now())
}

/** A checkout that has the rules. */
type Surface = {
  name: string
  /** Whether the shop takes orders before the sale opens. */
  sellsEarly?: true
  /** Makes an order. */
  order(page: Page): Promise<void>
  /** Connects a wallet, for which the order is quoted again. */
  connect(page: Page): Promise<void>
}

const openEdition = async (page: Page): Promise<void> => {
  await page.goto(`${stack.storefrontUrl}/editions/${collectionId}`)
  await shopper.buy(page)
}

const connectDemoWallet = (page: Page) => page.getByRole('button', { name: /^Demo wallet/ }).click()

const surfaces: Surface[] = [
  {
    name: 'the storefront',
    order: openEdition,
    connect: connectDemoWallet,
  },
  {
    name: 'Checkout.Panel',
    order: openEdition,
    connect: async (page) => {
      await connectDemoWallet(page)
      const orderId = shopper.orderIdOf(page)
      await expect
        .poll(async () => {
          const { data } = await listOrders(merchant())
          return data.find((order) => order.orderId === orderId)?.payment.preparation?.payerAddress
        })
        .toBeDefined()
      await page.goto(`${page.url()}/panel`)
    },
  },
  {
    name: 'the Vite example',
    sellsEarly: true,
    order: async (page) => {
      await page.goto(`${vite.url}/index.html`)
      await page.getByRole('button', { name: /^Connect/ }).click()
      await page.getByRole('button', { name: /^Buy for/ }).click()
    },
    // An order of this shop names its wallet from the beginning.
    connect: async () => {},
  },
]

type Rule = {
  name: string
  sale(): SaleRulesChange
  /** What the edition's page says before there is an order. */
  onEdition: RegExp
  /** What happens before the sale has its rule. */
  before?(): Promise<unknown>
  /** Whether the checkout offers no wallet until the buyer is within the rule. */
  connectsAfter?: true
  /** What the checkout says, and what the buyer does to be within the rule. */
  comply(page: Page): Promise<void>
  /** What the buyer then pays; by default the price. */
  price?: RegExp
}

const rules: Rule[] = [
  {
    name: 'opens at',
    sale: () => ({ startsAt: inSeconds(3_600) }),
    onEdition: /^Opens /,
    comply: waitForOpening,
  },
  {
    name: 'ends at',
    sale: () => ({ endsAt: inSeconds(3_600) }),
    onEdition: /^Sale ends /,
    comply: (page) => says(page, /Sale ends in \d+:\d\d/),
  },
  {
    name: 'a phase for an allow-list',
    sale: () => ({
      phases: [
        { name: 'Members', allowList: { addresses: [stranger] } },
        { name: 'Everyone', startsAt: inSeconds(3_600) },
      ],
    }),
    onEdition: /^Members: only for wallets on its list/,
    comply: async (page) => {
      await says(page, 'Members: only for wallets on its list.')
      await waitForOpening(page)
    },
  },
  {
    name: 'a phase that is sold out',
    sale: () => ({
      phases: [
        // The service counts the tokens of a phase by its name, and this rule is tested on several surfaces.
        { name: `Early ${Date.now()}`, maxTokens: 1 },
        { name: 'Everyone', startsAt: inSeconds(3_600) },
      ],
    }),
    onEdition: /./,
    before: async () => {
      const shop = openShop(stack)
      await shop.fund()
      await shop.buy(
        { collectionLocator: `kassa:${collectionId}` },
        { recipient: { walletAddress: shop.address } },
      )
    },
    connectsAfter: true,
    comply: async (page) => {
      await says(page, 'This phase of the sale is sold out.')
      await waitForOpening(page)
    },
  },
  {
    name: 'a limit by wallet',
    sale: () => ({ maxPerBuyer: { wallet: 1 } }),
    onEdition: /^At most 1 per wallet/,
    comply: (page) => says(page, 'At most 1 per wallet. Left for you: 1.'),
  },
  {
    name: 'a limit by e-mail address',
    sale: () => ({ maxPerBuyer: { email: 1 } }),
    onEdition: /^At most 1 per e-mail address/,
    comply: async (page) => {
      await says(page, /At most 1 per e-mail address/)
      await page.getByRole('textbox', { name: 'E-mail', exact: true }).fill(`${Date.now()}@example.com`)
      await press(page, 'Continue')
      await says(page, 'At most 1 per e-mail address. Left for you: 1.')
    },
  },
  {
    name: 'a promotion code',
    sale: () => ({ promotionCodes: [{ code: 'HALF', percent: '50' }] }),
    onEdition: /^A promotion code is entered/,
    comply: async (page) => {
      const field = page.getByRole('textbox', { name: /^Promotion code/ })
      await field.fill('WRONG')
      await press(page, 'Continue')
      await says(page, 'This code is unknown, has expired or is used up.')
      await field.fill(' \u200bhalf\ufeff ')
      await press(page, 'Continue')
    },
    price: /^Pay 0\.006\b/,
  },
]

/** Pays with the wallet of the page, and waits until the goods have arrived. */
const purchase = async (page: Page, price = /^Pay 0\.012\b/): Promise<void> => {
  await page.getByRole('button', { name: price }).click()
  const asked = shopper.confirmation(page)
  const arrived = page
    .getByRole('heading', { name: /has arrived|have arrived/ })
    .or(page.getByText('Delivered. Thank you'))
    .first()
  await asked.or(arrived).first().waitFor()
  // The wallet of the Vite example signs without a question.
  if (await asked.isVisible()) await asked.getByRole('button', { name: 'Confirm' }).click()
  await arrived.waitFor()
}

describe.each(surfaces)('in $name', ({ name: surface, sellsEarly, order, connect }) => {
  test.each(rules)('parameters: $name', ({ name, onEdition, comply, price, ...rule }) =>
    withBuyer(browser, { dataDir, name: `${surface}-${name}` }, async (page) => {
      await holdClock(page)
      const sale = rule.sale()
      await setSale(null)
      await setSale(sale)
      await rule.before?.()
      await page.goto(`${stack.storefrontUrl}/editions/${collectionId}`)
      await says(page, onEdition)
      await takePictures(page, `edition--${name.replaceAll(' ', '-')}`)
      // Before the start the edition's page sells nothing, so an order may only be older than the rule.
      const isOlder = !sellsEarly && (await page.getByRole('button', { name: /^Buy for/ }).isHidden())
      if (isOlder) await setSale(null)
      await order(page)
      if (isOlder) await setSale(sale)
      if (!rule.connectsAfter) await connect(page)
      await comply(page)
      if (rule.connectsAfter) await connect(page)
      await takePictures(page, `${surface}--${name}`.replaceAll(' ', '-'))
      await purchase(page, price)
    }),
  )
})
