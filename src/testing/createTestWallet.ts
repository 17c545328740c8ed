import {
  type Address,
  type Chain,
  custom,
  defineChain,
  getAddress,
  isHex,
  numberToHex,
  SwitchChainError,
} from 'viem'
import { type Config, type CreateConnectorFn, createConfig, createConnector, createStorage } from 'wagmi'
import { connect } from 'wagmi/actions'
import { createMemoryStorage } from '../chain/attemptStore.js'
import { type EvmChainName, evmChains, explorerUrls, isEvmChainName } from '../schema/chains.js'
import { buyer } from './orderFixture.js'
import { getWorld } from './testInternals.js'
import type { TestService } from './testService.js'
import { createTestProvider, type TestProvider, type WalletRequest } from './wallet/createTestProvider.js'
import { createWalletScript, type HeldRequest } from './wallet/walletScript.js'

/** Parameters of {@link createTestWallet}. */
export type CreateTestWalletParameters = {
  /** The service whose chains it pays on. */
  service: TestService
  /** Its balance by currency. It has plenty of every other. @units decimal strings in whole units */
  balance?: Readonly<Record<string, string>> | undefined
  /** Whether the app finds it connected, as after a reload. By default yes. */
  isConnected?: boolean | undefined
  /** Its account, for a test with more than one wallet. */
  address?: Address | undefined
  /** Whether it knows `eth_signTypedData_v4`, with which a buyer signs a payment that the shop sends. By default yes. */
  canSignTypedData?: boolean | undefined
}

/** A scripted wallet for a test. */
export type TestWallet = {
  /** For the `WagmiProvider`: every chain of the service, and this wallet. */
  config: Config
  /** For the app's own wagmi config. */
  connector: CreateConnectorFn
  address: Address
  /** All requests to the wallet, the oldest first. */
  requests: readonly WalletRequest[]
  /** Connects the wallet without a button. */
  connect(): Promise<void>
  /** Makes the owner decline the next request: to connect, to switch the network, to sign or to pay. */
  rejectNext(): void
  /** Leaves the next request open until the test answers it. */
  holdNext(): HeldRequest
  /** Sets its balance. @units decimal string in whole units of the currency */
  setBalance(currency: string, amount: string): void
  /** Switches to another network, as its owner would. */
  setChainId(chainId: number): void
  /** Switches to another account, as its owner would. */
  setAccount(address: Address): void
  /** Raises the fee of the next payment, which changes its hash. */
  speedUpNext(): void
  /** Cancels the next payment before it is mined. */
  cancelNext(): void
}

/**
 * Creates a wallet for a test, connected to the chains of a test service.
 *
 * @example
 * ```tsx
 * import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
 * import { Checkout, CheckoutProvider } from 'kassa'
 * import { createTestService, createTestWallet } from 'kassa/testing'
 * import { WagmiProvider } from 'wagmi'
 *
 * const service = createTestService()
 * const wallet = createTestWallet({ service, balance: { eth: '0.5' } })
 *
 * export const checkout = (orderId: string, clientSecret: string) => (
 *   <WagmiProvider config={wallet.config}>
 *     <QueryClientProvider client={new QueryClient()}>
 *       <CheckoutProvider client={service.client} {...service.rules}>
 *         <Checkout.Panel orderId={orderId} clientSecret={clientSecret} />
 *       </CheckoutProvider>
 *     </QueryClientProvider>
 *   </WagmiProvider>
 * )
 * ```
 */
export const createTestWallet = ({
  service,
  balance = {},
  isConnected = true,
  address: account = buyer,
  canSignTypedData = true,
}: CreateTestWalletParameters): TestWallet => {
  const [first, ...others] = service.chains.filter(isEvmChainName).map(toChain)
  if (!first) throw new Error('The test service has no EVM chain')
  const { script, rejectNext, holdNext, replaceNext } = createWalletScript()
  const requests: WalletRequest[] = []
  const start = { account: getAddress(account), chainId: first.id, canSignTypedData }
  const provider = createTestProvider(getWorld(service), { script, requests }, start)
  const connector = connectTestProvider(provider, isConnected)
  const chains = [first, ...others] as const
  const config = createConfig({
    chains,
    connectors: [connector],
    transports: Object.fromEntries(
      chains.map(({ id }) => [id, custom({ request: (call) => service.chain(call, id) }, { retryCount: 0 })]),
    ),
    // As in a server-rendered storefront, the first render knows no wallet.
    ssr: true,
    // Separate storage, so that tests do not share state. wagmi requires one for server rendering.
    storage: createStorage({ storage: createMemoryStorage() }),
    multiInjectedProviderDiscovery: false,
    batch: { multicall: false },
    pollingInterval: 100,
  })
  const setBalance = (currency: string, amount: string): void =>
    service.setBalance(provider.account(), currency, amount)
  for (const [currency, amount] of Object.entries(balance)) setBalance(currency, amount)
  return {
    config,
    connector,
    get address() {
      return provider.account()
    },
    requests,
    connect: async () => {
      const [known] = config.connectors
      if (known) await connect(config, { connector: known })
    },
    rejectNext,
    holdNext,
    setBalance,
    setChainId: provider.setChainId,
    setAccount: provider.setAccount,
    speedUpNext: () => replaceNext('speed-up'),
    cancelNext: () => replaceNext('cancel'),
  }
}

/** A chain of the interface as wagmi wants to have it. */
const toChain = (name: EvmChainName): Chain => {
  const { chainId, nativeCurrency, isTestnet } = evmChains[name]
  const symbol = nativeCurrency.toUpperCase()
  return defineChain({
    id: chainId,
    name,
    nativeCurrency: { name: symbol, symbol, decimals: 18 },
    rpcUrls: { default: { http: [`https://kassa.test/rpc/${name}`] } },
    blockExplorers: { default: { name: 'Explorer', url: explorerUrls[name] } },
    testnet: isTestnet,
  })
}

const readAccounts = (answer: unknown): `0x${string}`[] =>
  Array.isArray(answer)
    ? answer.filter((account) => isHex(account)).map((account) => getAddress(account))
    : []

/**
 * Connects a test's wallet to wagmi.
 *
 * @param isAuthorized - Whether the app may have it without asking, as after a reload.
 */
const connectTestProvider = (provider: TestProvider, isAuthorized: boolean): CreateConnectorFn =>
  createConnector<TestProvider>((config) => {
    let isConnected = isAuthorized
    const onAccountsChanged = (accounts: unknown): void =>
      config.emitter.emit('change', { accounts: readAccounts(accounts) })
    const onChainChanged = (chainId: unknown): void =>
      config.emitter.emit('change', { chainId: Number(chainId) })
    return {
      id: 'kassa-test-wallet',
      name: 'Test wallet',
      type: 'kassa-test-wallet',
      async connect({ isReconnecting } = {}) {
        if (!isReconnecting) await provider.ask()
        isConnected = true
        provider.on('accountsChanged', onAccountsChanged)
        provider.on('chainChanged', onChainChanged)
        // Without capabilities wagmi takes the accounts as they are.
        return { accounts: (await this.getAccounts()) as never, chainId: await this.getChainId() }
      },
      async disconnect() {
        isConnected = false
        provider.removeListener('accountsChanged', onAccountsChanged)
        provider.removeListener('chainChanged', onChainChanged)
      },
      getAccounts: async () => readAccounts(await provider.request({ method: 'eth_accounts' })),
      getChainId: async () => Number(await provider.request({ method: 'eth_chainId' })),
      getProvider: async () => provider,
      isAuthorized: async () => isConnected,
      switchChain: async ({ chainId }) => {
        const chain = config.chains.find(({ id }) => id === chainId)
        if (!chain) throw new SwitchChainError(new Error(`The app does not know the chain ${chainId}`))
        await provider.request({
          method: 'wallet_switchEthereumChain',
          params: [{ chainId: numberToHex(chainId) }],
        })
        return chain
      },
      onAccountsChanged,
      onChainChanged,
      onDisconnect: () => config.emitter.emit('disconnect'),
    }
  })
