import { setTimeout as sleep } from 'node:timers/promises'
import { getOrder } from '../../src/api/index.js'
import type { Shop } from '../helpers/createShop.js'
import { createBuyerAtTabs } from './buyer.js'
import { createClock } from './clock.js'
import { openEvmSide } from './evmSide.js'
import { createLine } from './line.js'
import { openPage } from './page.js'
import { createRandom } from './random.js'
import { patienceMs } from './side.js'
import { openSolanaSide } from './solanaSide.js'
import { createBrowserLocks } from './webLocks.js'

/** How one simulated purchase went. */
export type Purchase = {
  seed: number
  /** The family of chains on which it is paid. */
  family: 'evm' | 'solana'
  payments: number
  /** How often the wallet was asked. */
  requests: number
  pages: number
  wrongChoices: number
  /** What must never be, in words; empty when all is well. */
  faults: string[]
  /** All that happened, in order. */
  trace: string[]
}

/** How many of the buyers pay on Solana. */
const solanaShare = 0.35

/**
 * How long a buyer goes on. A payment that Solana loses, or replaces with its block, is sent again only once its message
 * has expired, 12 s later and more, and the simulated faults may meet several in a row.
 */
const buyerPatienceMs = 3 * patienceMs

/** One purchase by a buyer whose every choice follows from the seed, and what the chain says of it afterwards. */
export const simulatePurchase = async (seed: number, shop: Shop): Promise<Purchase> => {
  const random = createRandom(String(seed))
  const clock = createClock()
  const trace: string[] = []
  const note = (text: string): void => void trace.push(`${clock.now()} ms  ${text}`)
  const family = random.fork('family').chance(solanaShare) ? 'solana' : 'evm'
  const openSide = family === 'solana' ? openSolanaSide : openEvmSide
  const side = await openSide({ shop, random, clock, note })
  const { orderId, clientSecret, client, storage, requests } = side

  const line = createLine(clock, shop.address.fetch ?? fetch, random.fork('line'), note)
  const browser = {
    clock,
    random: random.fork('browser'),
    orderId,
    clientSecret,
    baseUrl: shop.address.baseUrl,
    fetch: line.fetch,
    storage,
    openChains: side.openChains,
    openLocks: createBrowserLocks(),
    note,
  }
  let pages = 0
  const person = createBuyerAtTabs({
    clock,
    random: random.fork('buyer'),
    requests,
    line,
    note,
    openPage: (name) => {
      pages += 1
      return openPage(browser, name)
    },
  })

  const faults: string[] = []
  await person.fumble()
  if (!(await person.settleDown(buyerPatienceMs))) faults.push('the order was never completed')
  person.walkAway()
  while (requests.requests.some(({ state }) => state === 'sending')) await sleep(10)

  await side.settle()
  clock.stop()
  const payments = await side.countPayments()
  const wrongChoices = requests.getWrongChoices()
  if (payments === 0) faults.push('the order was never paid')
  if (payments > 1 + wrongChoices) {
    faults.push(`${payments} payments, and ${wrongChoices} wrong choices to pay again`)
  }
  for (const number of requests.unexcused) {
    faults.push(`request ${number} reached the wallet although an earlier one may be paid`)
  }
  const missing = await side.findMissingMoney()
  if (missing !== undefined) faults.push(missing)
  const delivered = await side.countDelivered()
  if (delivered !== 1) faults.push(`delivered ${delivered} times`)
  const order = await getOrder(client, { orderId, clientSecret })
  const statuses = order.lineItems.map(({ delivery }) => delivery.status).join()
  if (order.phase !== 'completed' || statuses !== 'completed') {
    faults.push(`the order ends in ${order.phase}, its delivery in ${statuses}`)
  }
  return { seed, family, payments, requests: requests.requests.length, pages, wrongChoices, faults, trace }
}
