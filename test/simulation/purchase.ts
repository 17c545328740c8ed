import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import { mainnet } from 'viem/chains'
import { getOrder } from '../../src/api/index.js'
import { createBuyer } from '../helpers/createBuyer.js'
import type { Shop } from '../helpers/createShop.js'
import { limits } from '../limits.js'
import { createRequests } from './askedWallet.js'
import { createAudit, findPaymentLogs, type PaymentLogs } from './audit.js'
import { createBuyerAtTabs } from './buyer.js'
import { createClock } from './clock.js'
import { createLine } from './line.js'
import { openPage } from './page.js'
import { createRandom } from './random.js'
import { createSecondThoughts } from './secondThoughts.js'
import { createBrowserLocks } from './webLocks.js'

/** How one simulated purchase went. */
export type Purchase = {
  seed: number
  payments: number
  /** How often the wallet was asked. */
  requests: number
  pages: number
  wrongChoices: number
  /** Where the chain keeps what was paid until it is delivered; absent for a token. */
  router?: Address
  /** What must never be, in words; empty when all is well. */
  faults: string[]
  /** All that happened, in order. */
  trace: string[]
}

const startWei = 10n ** 18n
const startTokens = 1_000_000_000n
const patienceMs = limits.conditionMs

/** One purchase by a buyer whose every choice follows from the seed, and what the chain says of it afterwards. */
export const simulatePurchase = async (seed: number, shop: Shop): Promise<Purchase> => {
  const random = createRandom(String(seed))
  const currency = random.choose({ eth: 85, usdc: 15 })
  const clock = createClock()
  const trace: string[] = []
  const note = (text: string): void => void trace.push(`${clock.now()} ms  ${text}`)

  const buyer = await createBuyer(shop.address, {
    currency,
    nativeWei: startWei,
    ...(random.chance(0.15) && { walletChainId: mainnet.id }),
  })
  const { account, wallet, parameters, clientSecret, client } = buyer
  const { orderId } = parameters
  note(`order ${orderId} in ${currency}`)
  if (currency === 'usdc') await shop.mintTokens('usdc', startTokens, account.address)

  const requests = createRequests(
    clock,
    random.fork('wallet'),
    note,
    createSecondThoughts({ shop, account, clock, note }),
  )
  const line = createLine(clock, shop.address.fetch ?? fetch, random.fork('line'), note)
  wallet.script.onBroadcast = requests.relay
  const browser = {
    clock,
    random: random.fork('browser'),
    orderId,
    clientSecret,
    baseUrl: shop.address.baseUrl,
    rpcUrl: shop.address.rpcUrl,
    rules: shop.address.rules,
    fetch: line.fetch,
    storage: buyer.storage,
    wallet,
    requests,
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
  const logs = await findLogs(() => getOrder(client, { orderId, clientSecret }))
  await person.fumble()
  if (!(await person.settleDown(patienceMs))) faults.push('the order was never completed')
  person.walkAway()
  while (requests.requests.some(({ state }) => state === 'sending')) await sleep(10)

  const audit = createAudit(shop, account.address)
  const feesWei = await audit.readFees(requests.requests.filter(({ txId }) => txId !== undefined))
  clock.stop()
  const payments = await audit.countPayments(logs)
  const wrongChoices = requests.getWrongChoices()
  if (payments === 0) faults.push('the order was never paid')
  if (payments > 1 + wrongChoices) {
    faults.push(`${payments} payments, and ${wrongChoices} wrong choices to pay again`)
  }
  for (const number of requests.unexcused) {
    faults.push(`request ${number} reached the wallet although an earlier one may be paid`)
  }
  // All but one payment comes back.
  const { token, units } = logs
  const expected = token
    ? { nativeWei: startWei - feesWei, tokenUnits: startTokens - units }
    : { nativeWei: startWei - feesWei - units, tokenUnits: 0n }
  const actual = await audit.awaitBalances(expected, token, patienceMs)
  if (actual.nativeWei !== expected.nativeWei || actual.tokenUnits !== expected.tokenUnits) {
    const show = (kept: typeof expected): string => `${kept.nativeWei} wei and ${kept.tokenUnits} of a token`
    faults.push(`the buyer has ${show(actual)} instead of ${show(expected)}`)
  }
  const delivered = await audit.countDelivered()
  if (delivered !== 1) faults.push(`delivered ${delivered} times`)
  const order = await getOrder(client, { orderId, clientSecret })
  const statuses = order.lineItems.map(({ delivery }) => delivery.status).join()
  if (order.phase !== 'completed' || statuses !== 'completed') {
    faults.push(`the order ends in ${order.phase}, its delivery in ${statuses}`)
  }
  return {
    seed,
    payments,
    requests: requests.requests.length,
    pages,
    wrongChoices,
    ...(!token && { router: logs.address }),
    faults,
    trace,
  }
}

/** Waits until the order can be paid, and reads where. */
const findLogs = async (read: () => ReturnType<typeof getOrder>): Promise<PaymentLogs> => {
  const endMs = Date.now() + patienceMs
  while (Date.now() < endMs) {
    const logs = findPaymentLogs(await read())
    if (logs) return logs
    await sleep(50)
  }
  throw new Error('the order cannot be paid')
}
