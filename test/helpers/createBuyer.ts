import { QueryClient } from '@tanstack/react-query'
import { type Address, createTestClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'
import { createConfig } from 'wagmi'
import { connect } from 'wagmi/actions'
import { createClient, createOrder } from '../../src/api/index.js'
import { createMemoryStorage, createPaymentAttemptStore, type PaymentRules } from '../../src/chain/index.js'
// Loaded before any clock runs: in a test it is the payment that is looked at, not how it was loaded.
import '../../src/pay/createPayment.js'
import { getPayment, orderQueryOptions, type PaymentParameters } from '../../src/query.js'
import { scriptedConnector } from './scriptedConnector.js'
import { createScriptedWallet } from './scriptedWallet.js'

/** How a test reaches a shop, in this process or another. */
export type ShopAddress = {
  baseUrl: string
  rpcUrl: string
  serverKey: string
  /** Where the shop takes payments, and its test tokens. */
  rules: PaymentRules
  /** Stands in for the network where the service is in this process. */
  fetch?: typeof fetch | undefined
  /** Aborts when the shop closes. */
  closing?: AbortSignal | undefined
}

export type BuyerOptions = {
  currency?: string
  nativeWei?: bigint
  /** The chain the wallet is on to begin with: the one of the payment by default. */
  walletChainId?: number
  /** Whether the wallet knows the chain of the payment: yes by default. */
  isChainKnown?: boolean
  /** Who pays, where that is not the wallet's own account: a contract wallet, say. */
  payerAddress?: Address
  /** What the app's own requests to its node go through, for a node that lags or is away. */
  nodeFetch?: typeof fetch
  /** What the buyer's own requests go through, for a service that is away or lies. */
  fetch?: typeof fetch
}

/**
 * Sends requests while the shop is open. Later ones stay unanswered: a payment that a test leaves unfinished
 * would otherwise poll a closed shop beside the worker's further tests.
 */
const whileOpen =
  ({ closing }: ShopAddress, send: typeof fetch = fetch): typeof fetch =>
  (input, init) =>
    closing?.aborted ? new Promise<Response>(() => {}) : send(input, init)

/** A buyer with a wallet of their own, an order to pay, and nothing remembered. */
export const createBuyer = async (shop: ShopAddress, options: BuyerOptions = {}) => {
  const { baseUrl, rpcUrl } = shop
  const account = privateKeyToAccount(generatePrivateKey())
  const faucet = createTestClient({ mode: 'anvil', chain: baseSepolia, transport: http(rpcUrl) })
  await faucet.setBalance({ address: account.address, value: options.nativeWei ?? 10n ** 18n })
  const wallet = createScriptedWallet({
    account,
    chainId: options.walletChainId ?? baseSepolia.id,
    rpcUrls: options.isChainKnown === false ? {} : { [baseSepolia.id]: rpcUrl },
  })
  if (options.payerAddress) wallet.script.accounts = [options.payerAddress]
  const payerAddress = options.payerAddress ?? account.address
  const config = createConfig({
    chains: [{ ...baseSepolia, rpcUrls: { default: { http: [rpcUrl] } } }],
    connectors: [scriptedConnector(wallet)],
    transports: {
      [baseSepolia.id]: http(rpcUrl, { fetchFn: whileOpen(shop, options.nodeFetch), retryCount: 0 }),
    },
    pollingInterval: 50,
    storage: null,
    multiInjectedProviderDiscovery: false,
  })
  const [connector] = config.connectors
  if (!connector) throw new Error('no connector')
  await connect(config, { connector })
  const body = {
    recipient: { walletAddress: account.address },
    payment: { method: 'base-sepolia' as const, currency: options.currency ?? 'eth', payerAddress },
    lineItems: { collectionLocator: 'kassa:dunes' },
  }
  const merchant = createClient({ baseUrl, apiKey: shop.serverKey, fetch: shop.fetch })
  const { clientSecret, order } = await createOrder(merchant, { body })
  const { orderId } = order
  const client = createClient({ baseUrl, fetch: whileOpen(shop, options.fetch ?? shop.fetch) })
  const queryClient = new QueryClient()
  const storage = createMemoryStorage()
  const attemptStore = createPaymentAttemptStore(storage)
  const parameters: PaymentParameters = {
    orderId,
    clientSecret,
    config,
    client,
    queryClient,
    attemptStore,
    rules: shop.rules,
    now: Date.now,
  }
  return {
    account,
    wallet,
    config,
    body,
    order,
    clientSecret,
    client,
    queryClient,
    storage,
    parameters,
    observed: orderQueryOptions(client, { orderId, clientSecret }),
    payment: getPayment(queryClient, client, orderId),
    /** What a reload keeps: the storage, and nothing of the page. */
    reload: () => {
      const fresh = new QueryClient()
      return {
        payment: getPayment(fresh, client, orderId),
        parameters: { ...parameters, queryClient: fresh, attemptStore: createPaymentAttemptStore(storage) },
      }
    },
    /** Every request of a method that the wallet was asked. */
    asked: (method: string): unknown[] => wallet.asked.filter((request) => request.method === method),
    countSent: (): number => wallet.asked.filter(({ method }) => method === 'eth_sendTransaction').length,
  }
}

export type Buyer = Awaited<ReturnType<typeof createBuyer>>
