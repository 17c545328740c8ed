import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright'
import { findBrowser } from './browser.mjs'
import { endSignal } from './lib/endSignal.mjs'
import { privateDir, stateDir } from './lib/paths.mjs'
import { findRunning } from './lib/presence.mjs'
import { openSandbox } from './lib/sandbox.mjs'
import * as shopper from './lib/shopper.mjs'
import { startStack } from './lib/stack.mjs'
import { run, say, step } from './lib/steps.mjs'

const pictures = join(stateDir, 'purchase')

/**
 * The stack of a running `npm start`, else one of our own.
 * @param {AbortSignal} signal
 */
const openStack = async (signal) => {
  const running = await findRunning(stateDir)
  if (!running) return startStack({ signal, isBuilt: false })
  const { serviceUrl, storefrontUrl } = /** @type {{ serviceUrl: string, storefrontUrl: string }} */ (running)
  await step(`using the storefront at ${storefrontUrl}`, async () => {
    // It may be just about to come up.
    while (
      !signal.aborted &&
      !(await fetch(storefrontUrl).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (!(await findRunning(stateDir))) throw new Error('The start that was under way has ended.')
      await sleep(200)
    }
  })
  return { serviceUrl, storefrontUrl, sandbox: openSandbox(stateDir), stop: async () => {} }
}

/**
 * What is bought: an edition by its name, or the first one, and how it is paid for.
 * @typedef {{ edition?: string, currency?: string }} Choice
 */

/**
 * What the command's argument asks for.
 * @param {string[]} args
 * @returns {Choice}
 */
const readChoice = ([what, ...rest]) => {
  if (what === undefined) return {}
  if (what === 'solana' && rest.length === 0) return { edition: 'Night Ferry', currency: 'sol' }
  throw new Error(`"${[what, ...rest].join(' ')}" cannot be bought: say "solana", or nothing.`)
}

/**
 * Waits until the pictures in view have loaded and no animation that ends is still running.
 * @param {import('playwright').Page} page
 */
const settle = (page) =>
  page.evaluate(async () => {
    const inView = [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight)
    await Promise.allSettled(inView.map((image) => image.decode()))
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })

/**
 * Buys an edition, photographs each phase, and returns the order's id.
 * @param {import('playwright').Page} page
 * @param {string} storefrontUrl
 * @param {Choice} choice
 */
const purchase = async (page, storefrontUrl, { edition, currency }) => {
  let count = 0
  const phase = async (/** @type {string} */ name, /** @type {() => Promise<unknown>} */ work) => {
    await step(name.replaceAll('-', ' '), async () => void (await work()))
    await settle(page)
    await page.screenshot({ path: join(pictures, `${String(++count).padStart(2, '0')}-${name}.png`) })
  }
  await phase('shop-opened', () => shopper.openShop(page, storefrontUrl))
  await phase('edition-chosen', () => shopper.chooseEdition(page, edition))
  await phase('order-created', () => shopper.buy(page, currency))
  await phase('wallet-connected', async () => {
    await shopper.connectDemoWallet(page)
    // The other ways to pay have their prices a moment later.
    await page
      .getByRole('radio', { name: / on .+\d/ })
      .nth(1)
      .waitFor()
  })
  await phase('payment-asked', () => shopper.pay(page))
  await phase('payment-sent', () => shopper.confirm(page))
  await phase('delivered', () => shopper.waitForReceipt(page))
  return shopper.orderIdOf(page)
}

/**
 * @param {Awaited<ReturnType<typeof openStack>>} stack
 * @param {Choice} choice
 * @param {AbortSignal} signal
 */
const purchaseAndAsk = async (stack, choice, signal) => {
  const browser = await chromium.launch(findBrowser())
  signal.addEventListener('abort', () => void browser.close())
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    const orderId = await purchase(page, stack.storefrontUrl, choice)
    // Loaded late: it stands on the library's build.
    const { readDelivered } = await import('./lib/delivered.mjs')
    const [token] = await readDelivered(stack, orderId)
    if (!token) throw new Error(`Order ${orderId} is completed and delivered nothing.`)
    return token
  } finally {
    await browser.close()
  }
}

/** One purchase through the storefront in a headless browser, believed only once the chain confirms it. */
await run(async () => {
  const choice = readChoice(process.argv.slice(2))
  const signal = endSignal()
  rmSync(pictures, { recursive: true, force: true })
  privateDir(pictures)
  const stack = await openStack(signal)
  const { locator, owner } = await purchaseAndAsk(stack, choice, signal).finally(() => stack.stop())
  say(`\ndelivered ${locator} to ${owner}`)
})
