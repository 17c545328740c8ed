import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { createClient } from '../../src/api/index.js'
import { createPaymentAttemptStore, type WebStorage } from '../../src/chain/index.js'
import {
  getPayment,
  orderQueryOptions,
  type PaymentParameters,
  type PayOptions,
  refreshOrderMutationOptions,
} from '../../src/query.js'
import type { Order } from '../../src/schema/index.js'
import type { Clock } from './clock.js'
import { createGate, type Gate } from './gate.js'
import type { Random } from './random.js'
import type { Side } from './side.js'
import type { PageLocks } from './webLocks.js'

/** What the pages of one buyer share: all that outlives a page. */
export type Browser = {
  clock: Clock
  random: Random
  orderId: string
  clientSecret: string
  baseUrl: string
  fetch: typeof globalThis.fetch
  storage: WebStorage
  openChains: Side['openChains']
  openLocks(): PageLocks
  note(text: string): void
}

const pollMs = 90

const gateStorage = (storage: WebStorage, gate: Gate): WebStorage => ({
  getItem: storage.getItem,
  setItem: (key, value) => {
    if (!gate.isGone) storage.setItem(key, value)
  },
  removeItem: (key) => {
    if (!gate.isGone) storage.removeItem(key)
  },
})

/** Opens the shop's page for an order in a tab: everything of it is new, save what the browser keeps. */
export const openPage = (browser: Browser, name: string) => {
  const { clock, orderId, clientSecret, baseUrl, storage, note } = browser
  const gate = createGate(clock, browser.random.fork(name))
  const askService: typeof fetch = (input, init) =>
    gate.ask(`${init?.method} ${input}`, () => browser.fetch(input, init))
  const client = createClient({ baseUrl, fetch: askService })
  const queryClient = new QueryClient()
  const attemptStore = createPaymentAttemptStore(gateStorage(storage, gate))
  const pageLocks = browser.openLocks()
  const { locks } = pageLocks
  const parameters: PaymentParameters = {
    orderId,
    clientSecret,
    ...browser.openChains(gate, name),
    client,
    queryClient,
    attemptStore,
    locks,
    now: Date.now,
  }
  const payment = getPayment(queryClient, client, orderId)
  const observed = orderQueryOptions(client, { orderId, clientSecret })
  let order: Order | undefined
  const tell = (): void => {
    if (gate.isGone) return
    const step = payment.getStep()
    note(`${name}: ${step.status}${'error' in step ? ` ${step.error.code}` : ''}`)
  }
  const stop = payment.subscribe(tell)

  const follow = async (): Promise<void> => {
    while (!gate.isGone) {
      order = await queryClient.fetchQuery({ ...observed, staleTime: 0 }).catch(() => order)
      await clock.sleep(pollMs)
    }
  }

  note(`${name}: opened`)
  void follow()
  // As the hook does when it mounts.
  void payment.resume(parameters)

  return {
    name,
    getStep: payment.getStep,
    getOrder: (): Order | undefined => order,
    isGone: (): boolean => gate.isGone,
    pay: (options?: PayOptions): void => {
      note(`${name}: the buyer clicks ${options?.isAgain ? 'pay again' : 'pay'}`)
      void payment.pay(parameters, options)
    },
    reset: payment.reset,
    /** Asks for a new price, as the button does once a price has expired. */
    refresh: (): void => {
      note(`${name}: the buyer asks for a new price`)
      payment.reset()
      new MutationObserver(queryClient, refreshOrderMutationOptions(client, { orderId, clientSecret }))
        .mutate()
        .catch(({ code }) => note(`${name}: no new price: ${code}`))
    },
    /** The page goes away with everything in it: by a reload, or because its tab is closed. */
    leave: (): void => {
      note(`${name}: left`)
      stop()
      gate.close()
      pageLocks.leave()
    },
  }
}

export type Page = ReturnType<typeof openPage>
