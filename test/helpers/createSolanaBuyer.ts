import { setTimeout as sleep } from 'node:timers/promises'
import { QueryClient } from '@tanstack/react-query'
import { http } from 'viem'
import { baseSepolia } from 'viem/chains'
import { createConfig } from 'wagmi'
import { createClient, createOrder, getOrder } from '../../src/api/index.js'
import {
  createMemoryStorage,
  createPaymentAttemptStore,
  getOrderAccounts,
  type WebStorage,
} from '../../src/chain/index.js'
import { parseAddress } from '../../src/engine/solana/parseAddress.js'
// Loaded before any clock runs: in a test it is the payment that is looked at, not how it was loaded.
import '../../src/pay/createPayment.js'
import { getPayment, orderQueryOptions, type PaymentParameters } from '../../src/query.js'
import { type SolanaParameters, solana } from '../../src/solana/index.js'
import { createBrowserLocks } from '../simulation/webLocks.js'
import { createWindow } from './browserWindow.js'
import type { Shop } from './createShop.js'
import { createScriptedSolanaNode } from './scriptedSolanaNode.js'
import { createScriptedSolanaWallet, createSolanaKey } from './scriptedSolanaWallet.js'

export type SolanaBuyerOptions = {
  currency?: 'sol' | 'usdc'
  /** Whether the wallet signs and leaves the sending to the app. */
  isSigningOnly?: boolean
  /** What the buyer has. By default plenty. */
  lamports?: bigint
  /** What differs in the app's own parameters. */
  app?: Partial<SolanaParameters>
}

const plenty = 10n * 10n ** 9n
const never = <Value>(): Promise<Value> => new Promise(() => {})

/** The part of a shop that takes payments on Solana. */
export const solanaOf = ({ solana: opened }: Shop) => {
  if (!opened) throw new Error('the shop takes no payments on Solana')
  return opened
}

/** Returns what an app knows of a shop's cluster. */
export const appOf = (shop: Shop): SolanaParameters => {
  const { node, chain, operator } = solanaOf(shop)
  const tokens = chain.currencies.flatMap(({ currency, address, decimals }) =>
    address && parseAddress(address) ? [[currency, { address, decimals }]] : [],
  )
  return { rpcUrl: node.rpcUrl, cluster: 'localnet', operator, tokens: Object.fromEntries(tokens) }
}

/** A buyer with a wallet of Wallet Standard, an order to pay on Solana, and a browser in which to open its page. */
export const createSolanaBuyer = async (shop: Shop, options: SolanaBuyerOptions = {}) => {
  const { currency = 'sol', isSigningOnly = false, lamports = plenty } = options
  const { fund, node: cluster } = solanaOf(shop)
  const { baseUrl, serverKey, fetch: askService = fetch } = shop.address
  const key = createSolanaKey()
  await fund(key.address, 'sol', lamports)
  if (currency === 'usdc') await fund(key.address, 'usdc', 1_000_000_000n)
  const wallet = createScriptedSolanaWallet({ rpcUrl: cluster.rpcUrl, key, isSigningOnly })
  const node = createScriptedSolanaNode()
  const service: { fetch: typeof fetch } = { fetch: askService }
  const merchant = createClient({ baseUrl, apiKey: serverKey, fetch: askService })
  const { clientSecret, order } = await createOrder(merchant, {
    body: {
      recipient: { walletAddress: key.address },
      payment: { method: 'solana', currency, payerAddress: key.address },
      lineItems: { collectionLocator: 'kassa:tea' },
    },
  })
  const { orderId } = order
  const storage = createMemoryStorage()
  const openLocks = createBrowserLocks()
  const config = createConfig({
    chains: [baseSepolia],
    transports: { [baseSepolia.id]: http('http://node.test') },
    storage: null,
    multiInjectedProviderDiscovery: false,
  })

  /** Every search for a payment begins by reading the newest final block. */
  const countLooks = (): number => node.asked.filter((method) => method === 'getEpochInfo').length

  /** Opens the shop's page for the order in a tab. A reload leaves it and opens another. */
  const openPage = async ({ isConnected = true }: { isConnected?: boolean } = {}) => {
    let isGone = false
    const whileOpen =
      (get: () => typeof fetch): typeof fetch =>
      async (input, init) => {
        if (isGone || shop.address.closing?.aborted) return never()
        const answer = await get()(input, init)
        return isGone ? never() : answer
      }
    const stored: WebStorage = {
      getItem: storage.getItem,
      setItem: (name, value) => (isGone ? undefined : storage.setItem(name, value)),
      removeItem: (name) => (isGone ? undefined : storage.removeItem(name)),
    }
    const onSolana = solana({
      ...appOf(shop),
      storage: stored,
      fetch: whileOpen(() => node.fetch),
      ...options.app,
    })
    const client = createClient({ baseUrl, fetch: whileOpen(() => service.fetch) })
    const queryClient = new QueryClient()
    const pageLocks = openLocks()
    const browser = createWindow()
    browser.announce(wallet.wallet)
    browser.inside(() => onSolana.wallets.subscribe(() => {}))
    const [found] = onSolana.wallets.getState().wallets
    if (isConnected && found) await onSolana.wallets.connect(found)
    const parameters: PaymentParameters = {
      orderId,
      clientSecret,
      config,
      client,
      queryClient,
      attemptStore: createPaymentAttemptStore(stored),
      solana: onSolana,
      locks: pageLocks.locks,
      now: Date.now,
    }
    return {
      wallets: onSolana.wallets,
      client,
      queryClient,
      parameters,
      observed: orderQueryOptions(client, { orderId, clientSecret }),
      payment: getPayment(queryClient, client, orderId),
      /** The page goes away with everything in it. */
      leave: (): void => {
        isGone = true
        pageLocks.leave()
      },
    }
  }

  return {
    key,
    wallet,
    node,
    service,
    order,
    orderId,
    clientSecret,
    config,
    storage,
    openPage,
    attempts: () => createPaymentAttemptStore(storage).list(orderId),
    /** Waits until the service has decided about the order and delivered. */
    awaitCompleted: async () => {
      for (;;) {
        const current = await getOrder(merchant, { orderId })
        if (current.phase === 'completed') return current
        await sleep(50)
      }
    },
    getOrder: () => getOrder(merchant, { orderId }),
    merchant,
    /** Waits until the app has looked for the payment so many times more. */
    awaitLooks: async (count: number): Promise<void> => {
      const seen = countLooks()
      while (countLooks() < seen + count) await sleep(20)
    },
    /** Returns the signatures of the buyer's transactions that paid the order, in their order. */
    listPayments: (): string[] => listPayments(shop, { orderId, payer: key.address, currency }),
  }
}

/** Reads from the chain, without the service's help, which transactions of a payer have paid an order. */
const listPayments = (
  shop: Shop,
  { orderId, payer, currency }: { orderId: string; payer: string; currency: string },
): string[] => {
  const { operator, node, chain } = solanaOf(shop)
  const mint = chain.currencies.find((known) => known.currency === currency)?.address
  const { account } = getOrderAccounts(operator, orderId, mint)
  return node.cluster
    .listTransactions(account, 'processed')
    .filter(({ error, accounts }) => error === undefined && accounts[0] === payer)
    .map(({ signature }) => signature)
    .reverse()
}
