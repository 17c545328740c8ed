import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, getOrder } from 'kassa/api'
import * as shopper from '../../scripts/lib/shopper.mjs'
import { followByPoll } from './followByPoll.mjs'
import { readScreen, watchScreen } from './watchScreen.mjs'

/** Seconds from one block to the next. */
const paceSeconds = 2

/**
 * @typedef {{ paidMs: number, deliveredMs: number }} Latency from a block to the page or service that shows it
 * @typedef {Awaited<ReturnType<typeof import('./watchChain.mjs').watchChain>>} Chain
 * @typedef {{ serviceUrl: string, storefrontUrl: string, sandbox: { serverKey: string } }} Stack
 */

/**
 * Buys one edition through the storefront.
 * @param {import('playwright').Page} page
 * @param {{ stack: Stack, chain: Chain, shareOfPace: number }} options `shareOfPace`, from 0 to 1, says when between
 *   two blocks the buyer confirms, so that many buyers together favour no moment
 * @returns {Promise<{ kassa: Latency, peer: Latency }>}
 */
export const measurePurchase = async (page, { stack, chain, shareOfPace }) => {
  await watchScreen(page)
  await shopper.openShop(page, stack.storefrontUrl)
  await shopper.chooseEdition(page, 'Dunes at Dusk')
  await shopper.buy(page, 'eth')
  await shopper.connectDemoWallet(page)
  await shopper.pay(page)
  const orderId = shopper.orderIdOf(page)
  /** @type {{ paidAtMs: number, deliveredAtMs: number }[]} */
  const followed = []
  await chain.atPace(paceSeconds, async () => {
    await sleep(shareOfPace * paceSeconds * 1000)
    const [heard] = await Promise.all([followByPoll(stack, orderId), shopper.confirm(page)])
    followed.push(heard)
    await shopper.waitForReceipt(page)
  })
  const client = createClient({ baseUrl: `${stack.serviceUrl}/api`, apiKey: stack.sandbox.serverKey })
  const { payment, lineItems } = await getOrder(client, { orderId })
  const paidAtMs = await chain.timeOf(payment.received?.txId)
  const deliveredAtMs = await chain.timeOf(lineItems[0]?.delivery.txId)
  const peer = followed[0] ?? { paidAtMs: Number.NaN, deliveredAtMs: Number.NaN }
  return {
    kassa: {
      paidMs: (await readScreen(page, 'paid')) - paidAtMs,
      deliveredMs: (await readScreen(page, 'delivered')) - deliveredAtMs,
    },
    peer: { paidMs: peer.paidAtMs - paidAtMs, deliveredMs: peer.deliveredAtMs - deliveredAtMs },
  }
}
