import { QueryClient } from '@tanstack/react-query'
import { http } from 'viem'
import { baseSepolia } from 'viem/chains'
import { createConfig } from 'wagmi'
import { connect } from 'wagmi/actions'
import { createClient } from '../../src/api/index.js'
import { createLedger, type LedgerStorage, type PaymentRules } from '../../src/chain/index.js'
import { getPayment, orderQueryOptions, type PaymentParameters, type PayOptions } from '../../src/query.js'
import type { Order } from '../../src/schema/index.js'
import { scriptedConnector } from '../helpers/scriptedConnector.js'
import type { createScriptedWallet } from '../helpers/scriptedWallet.js'
import type { Requests } from './askedWallet.js'
import type { Clock } from './clock.js'
import { createGate, type Gate } from './gate.js'
import { readWhole } from './line.js'
import type { Random } from './random.js'
import type { PageLocks } from './webLocks.js'

/** What the pages of one buyer share: all that outlives a page. */
export type Browser = {
  clock: Clock
  random: Random
  orderId: string
  clientSecret: string
  baseUrl: string
  rpcUrl: string
  fetch: typeof globalThis.fetch
  storage: LedgerStorage
  wallet: ReturnType<typeof createScriptedWallet>
  requests: Requests
  rules: PaymentRules
  openLocks(): PageLocks
  note(text: string): void
}

const pollMs = 90

const gateStorage = (storage: LedgerStorage, gate: Gate): LedgerStorage => ({
  getItem: storage.getItem,
  setItem: (key, value) => {
    if (!gate.isGone) storage.setItem(key, value)
  },
  removeItem: (key) => {
    if (!gate.isGone) storage.removeItem(key)
  },
})

const gateProvider = ({ clock, wallet, requests }: Browser, gate: Gate): typeof wallet.provider => {
  const { provider } = wallet
  type Call = { method: string; params?: unknown }
  const send = (call: Call) => provider.request(call as never) as Promise<`0x${string}`>
  const request = (call: Call) =>
    gate.ask(call.method, () =>
      call.method === 'eth_sendTransaction'
        ? requests.ask(gate, () => send(call))
        : clock.during(() => send(call)),
    )
  return { ...provider, request: request as typeof provider.request }
}

const readMethod = (init: RequestInit | undefined): string =>
  `node ${(JSON.parse(String(init?.body)) as { method: string }).method}`

/** Opens the shop's page for an order in a tab: everything of it is new, save what the browser keeps. */
export const openPage = (browser: Browser, name: string) => {
  const { clock, orderId, clientSecret, baseUrl, rpcUrl, storage, wallet, note } = browser
  const gate = createGate(clock, browser.random.fork(name))
  const askService: typeof fetch = (input, init) =>
    gate.ask(`${init?.method} ${input}`, () => browser.fetch(input, init))
  const askNode: typeof fetch = (input, init) =>
    gate.ask(readMethod(init), () => clock.during(() => readWhole(fetch(input, init))))
  const config = createConfig({
    chains: [baseSepolia],
    connectors: [scriptedConnector({ ...wallet, provider: gateProvider(browser, gate) })],
    transports: {
      [baseSepolia.id]: http(rpcUrl, { fetchFn: askNode }),
    },
    pollingInterval: 50,
    storage: null,
    multiInjectedProviderDiscovery: false,
  })
  const client = createClient({ baseUrl, fetch: askService })
  const queryClient = new QueryClient()
  const ledger = createLedger(gateStorage(storage, gate))
  const pageLocks = browser.openLocks()
  const { locks } = pageLocks
  const parameters: PaymentParameters = {
    orderId,
    clientSecret,
    config,
    client,
    queryClient,
    ledger,
    rules: browser.rules,
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
  const [connector] = config.connectors
  if (connector) connect(config, { connector }).catch((error) => note(`${name}: not connected: ${error}`))
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
