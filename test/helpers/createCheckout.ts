import { QueryClient } from '@tanstack/react-query'
import { type Hex, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'
import { createConfig } from 'wagmi'
import { connect } from 'wagmi/actions'
import { createCollection } from '../../service/src/collections/createCollection.js'
import { createOrderHandlers } from '../../service/src/orders/handlers.js'
import { type PaymentWatcher, watchPayments } from '../../service/src/payments/watchPayments.js'
import { createTestChain } from '../../service/test/helpers/createTestChain.js'
import { createTestService } from '../../service/test/helpers/createTestService.js'
import { type Client, createClient, createOrder } from '../../src/api/index.js'
import { createLedger, createMemoryStorage } from '../../src/chain/index.js'
import { getPayment, orderQueryOptions, type PaymentParameters } from '../../src/query/index.js'
import { scriptedConnector } from './scriptedConnector.js'
import { createScriptedWallet } from './scriptedWallet.js'

const collectionId = 'dunes'

/** The whole service in this process, on a real chain, with one collection to sell at 0.01 eth. */
export const createShop = async () => {
  const world = await createTestChain()
  let watcher: PaymentWatcher | undefined
  const service = await createTestService({
    chains: [world.chain],
    database: world.database,
    handlers: (deps) => ({
      ...createOrderHandlers(deps),
      'payments.look': async (data) => watcher?.look(data),
    }),
  })
  const { deps, projectId } = service
  await deps.db.transaction((tx) =>
    createCollection(
      tx,
      {
        projectId,
        id: collectionId,
        chain: 'base-sepolia',
        name: 'Dunes',
        description: 'Sand at dusk',
        imageUrl: 'ipfs://picture',
        symbol: 'DUN',
        payments: { price: '0.01', currency: 'eth' },
      },
      deps.now(),
    ),
  )
  watcher = watchPayments(deps, { tickMs: 50, fundsEveryMs: 50 })
  const rpcUrl = await world.node.rpcUrl()

  /** A client that reaches the service in this process, through the very functions users call. */
  const makeClient = (apiKey?: string, fetcher?: typeof fetch): Client =>
    createClient({
      baseUrl: 'http://service.test/api',
      apiKey,
      fetch: fetcher ?? (async (input, init) => service.app.request(String(input), init)),
    })

  /** A buyer with a wallet of their own, an order to pay, and nothing remembered. */
  const createBuyer = async (
    options: { currency?: string; nativeWei?: bigint; fetch?: typeof fetch } = {},
  ) => {
    const account = privateKeyToAccount(generatePrivateKey())
    await world.client.setBalance({ address: account.address, value: options.nativeWei ?? 10n ** 18n })
    const wallet = createScriptedWallet({
      account,
      chainId: baseSepolia.id,
      rpcUrls: { [baseSepolia.id]: rpcUrl },
    })
    const config = createConfig({
      chains: [baseSepolia],
      connectors: [scriptedConnector(wallet)],
      transports: { [baseSepolia.id]: http(rpcUrl) },
      pollingInterval: 50,
      storage: null,
      multiInjectedProviderDiscovery: false,
    })
    const [connector] = config.connectors
    if (!connector) throw new Error('no connector')
    await connect(config, { connector })
    const { clientSecret, order } = await createOrder(makeClient(service.serverKey), {
      body: {
        recipient: { walletAddress: account.address },
        payment: {
          method: 'base-sepolia',
          currency: options.currency ?? 'eth',
          payerAddress: account.address,
        },
        lineItems: { collectionLocator: `kassa:${collectionId}` },
      },
    })
    const client = makeClient(undefined, options.fetch)
    const queryClient = new QueryClient()
    const storage = createMemoryStorage()
    const parameters: PaymentParameters = {
      orderId: order.orderId,
      clientSecret,
      config,
      client,
      queryClient,
      ledger: createLedger(storage),
      now: Date.now,
    }
    const observed = orderQueryOptions(client, parameters)
    return {
      account,
      wallet,
      config,
      order,
      clientSecret,
      client,
      queryClient,
      storage,
      parameters,
      observed,
      payment: getPayment(queryClient, client, order.orderId),
      /** What a reload keeps: the storage, and nothing of the page. */
      reload: () => {
        const fresh = new QueryClient()
        return {
          queryClient: fresh,
          payment: getPayment(fresh, client, order.orderId),
          parameters: { ...parameters, queryClient: fresh, ledger: createLedger(storage) },
        }
      },
      countSent: (): number => wallet.asked.filter(({ method }) => method === 'eth_sendTransaction').length,
      mintTokens: async (currency: string, units: bigint): Promise<void> => {
        const minter = await world.createPayer()
        await minter.mintTokens(currency, units, account.address)
      },
    }
  }

  return {
    world,
    service,
    rpcUrl: rpcUrl as Hex | string,
    makeClient,
    createBuyer,
    close: async () => {
      await watcher?.stop()
      await service.close()
      await world.close()
    },
  }
}

export type Shop = Awaited<ReturnType<typeof createShop>>
export type Buyer = Awaited<ReturnType<Shop['createBuyer']>>
