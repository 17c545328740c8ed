import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright'
import { findBrowser } from './browser.mjs'
import { build } from './lib/build.mjs'
import { endSignal } from './lib/endSignal.mjs'
import { privateDir, stateDir } from './lib/paths.mjs'
import { findRunning } from './lib/presence.mjs'
import { openSandbox } from './lib/sandbox.mjs'
import * as shopper from './lib/shopper.mjs'
import { startService, startStack } from './lib/stack.mjs'
import { run, say, step, timed } from './lib/steps.mjs'
import { patienceMs } from './lib/waitFor.mjs'
import { waitInPage } from './lib/waitInPage.mjs'
import { fundWithoutCoins, requireNoCoins } from './lib/withoutCoins.mjs'

const pictures = join(stateDir, 'purchase')

/**
 * Resolves with a sentence once the `npm start` whose stack this command uses has ended.
 * @returns {Promise<string>}
 */
const watchRunning = async () => {
  while (await findRunning(stateDir)) await sleep(1000, undefined, { ref: false })
  return 'The `npm start` whose storefront it used has ended.'
}

/**
 * The stack of a running `npm start`, else one of our own. `ended` resolves with a report once a part of it has ended.
 * @param {AbortSignal} signal
 */
const openStack = async (signal) => {
  const running = await findRunning(stateDir)
  if (!running) {
    const stack = await startStack({ signal, isBuilt: false })
    const ended = Promise.race(
      [stack.service, stack.storefront].map((child) => child.exited.then(() => child.report())),
    )
    return { ...stack, ended }
  }
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
  const sandbox = openSandbox(stateDir)
  return { serviceUrl, storefrontUrl, sandbox, ended: watchRunning(), stop: async () => {} }
}

/** @typedef {Awaited<ReturnType<typeof openStack>>} Stack */

/**
 * What is bought: an edition by its name, or the first one, and how it is paid for. `isGasless` says that the buyer has
 * no coins, and `isX402` that software buys it, without a browser.
 * @typedef {{ edition?: string, currency?: string, isGasless?: boolean, isX402?: boolean }} Choice
 */

/**
 * What the command's argument asks for.
 * @param {string[]} args
 * @returns {Choice}
 */
const readChoice = ([what, ...rest]) => {
  if (what === undefined) return {}
  if (what === 'solana' && rest.length === 0) return { edition: 'Night Ferry', currency: 'sol' }
  if (what === 'gasless' && rest.length === 0)
    return { edition: 'Dunes at Dusk', currency: 'usdc', isGasless: true }
  if (what === 'x402' && rest.length === 0) return { isX402: true }
  throw new Error(
    `"${[what, ...rest].join(' ')}" cannot be bought: say "solana", "gasless", "x402", or nothing.`,
  )
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
 * @param {Pick<Stack, 'storefrontUrl' | 'ended'>} stack
 * @param {Choice} choice
 */
const purchase = async (page, { storefrontUrl, ended }, { edition, currency }) => {
  let count = 0
  /**
   * @param {string} name
   * @param {string} awaited what the phase waits for
   * @param {() => Promise<unknown>} work
   */
  const phase = async (name, awaited, work) => {
    const picture = join(pictures, `${String(++count).padStart(2, '0')}-${name}.png`)
    await step(name.replaceAll('-', ' '), () =>
      waitInPage(page, { awaited, picture: join(pictures, 'stopped.png'), ended }, async () => {
        await work()
        await settle(page)
        await page.screenshot({ path: picture })
      }),
    )
  }
  await phase('shop-opened', "the shop's list of editions", () => shopper.openShop(page, storefrontUrl))
  await phase('edition-chosen', "the edition's page and its Buy button", () =>
    shopper.chooseEdition(page, edition),
  )
  await phase('order-created', 'the checkout of the new order', () => shopper.buy(page, currency))
  await phase('wallet-connected', 'the Pay button and the prices of the other ways to pay', async () => {
    await shopper.connectDemoWallet(page)
    // The other ways to pay have their prices a moment later.
    await page
      .getByRole('radio', { name: / on .+\d/ })
      .nth(1)
      .waitFor()
  })
  await phase('payment-asked', "the demo wallet's question", () => shopper.pay(page))
  await phase('payment-sent', 'the page to say that the payment is sent', () => shopper.confirm(page))
  await phase('delivered', 'the page to say that the edition has arrived', () => shopper.waitForReceipt(page))
  return shopper.orderIdOf(page)
}

const openBrowser = () =>
  timed('browser', () =>
    chromium.launch({ ...findBrowser(), timeout: patienceMs }).catch((error) => {
      // The lines below the first one are Playwright's log.
      throw new Error(`The browser did not start: ${error.message.split('\n')[0]}`)
    }),
  )

/**
 * Returns the token of a completed order, as its chain names it.
 * @param {Pick<Stack, 'serviceUrl' | 'sandbox'>} stack
 * @param {string} orderId
 */
const askChain = async (stack, orderId) => {
  // Loaded late: it stands on the library's build.
  const { readDelivered } = await import('./lib/delivered.mjs')
  const [token] = await readDelivered(stack, orderId)
  if (!token) throw new Error(`Order ${orderId} is completed and delivered nothing.`)
  return token
}

/**
 * The service of a running `npm start`, else one of our own.
 * @param {AbortSignal} signal
 */
const openService = async (signal) => {
  const running = await findRunning(stateDir)
  if (running) return { ...running, sandbox: openSandbox(stateDir), stop: async () => {} }
  await build(['library'], signal)
  await build(['service'], signal)
  return startService({ signal })
}

/**
 * Has software buy an edition by x402, from an account without coins.
 * @param {AbortSignal} signal
 */
const purchaseByX402 = async (signal) => {
  const stack = /** @type {Pick<Stack, 'serviceUrl' | 'sandbox' | 'stop'>} */ (await openService(signal))
  try {
    const { buyByX402, createPayer, waitUntilDelivered } = await import('./lib/x402.mjs')
    const { serviceUrl } = stack
    const payer = await timed('a payer with USDC and no coins', () => createPayer(serviceUrl))
    const order = await timed('payment', () => buyByX402(serviceUrl, payer))
    await step('delivery', () => waitUntilDelivered(order, signal))
    return await askChain(stack, order.orderId)
  } finally {
    await stack.stop()
  }
}

/**
 * @param {Stack} stack
 * @param {Choice} choice
 * @param {AbortSignal} signal
 */
const purchaseAndAsk = async (stack, choice, signal) => {
  const browser = await openBrowser()
  signal.addEventListener('abort', () => void browser.close())
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.setDefaultTimeout(patienceMs)
    const wallet = choice.isGasless ? await fundWithoutCoins(page, stack.serviceUrl) : undefined
    const orderId = await purchase(page, stack, choice)
    const payer = wallet?.payer()
    if (wallet && !payer) throw new Error('The demo wallet was not funded.')
    if (payer) await requireNoCoins(stack.serviceUrl, payer)
    return await askChain(stack, orderId)
  } catch (error) {
    throw signal.aborted ? new Error('The purchase was ended before it was complete.') : error
  } finally {
    await browser.close()
  }
}

/**
 * Has a buyer purchase an edition in a browser.
 * @param {Choice} choice
 * @param {AbortSignal} signal
 */
const purchaseInBrowser = async (choice, signal) => {
  rmSync(pictures, { recursive: true, force: true })
  privateDir(pictures)
  const stack = await openStack(signal)
  return purchaseAndAsk(stack, choice, signal).finally(() => stack.stop())
}

/** One purchase, through the storefront in a headless browser or by x402, believed only once the chain confirms it. */
await run(async () => {
  const choice = readChoice(process.argv.slice(2))
  const signal = endSignal()
  const { locator, owner } = await (choice.isX402
    ? purchaseByX402(signal)
    : purchaseInBrowser(choice, signal))
  say(`\ndelivered ${locator} to ${owner}`)
})
