import { createMemoryStorage } from '../chain/attemptStore.js'
import { storageKey } from '../pay/solana/createWallets.js'
import { registerWallet, type StandardWallet } from '../pay/solana/walletStandard.js'
import type { SolanaParameters } from '../solana/createSolana.js'
import { solanaBuyer } from './orderFixture.js'
import { getWorld } from './testInternals.js'
import type { TestService } from './testService.js'
import { createStandardWallet, type SolanaEnding } from './wallet/createStandardWallet.js'
import type { WalletRequest } from './wallet/createTestProvider.js'
import { createWalletScript, type HeldRequest } from './wallet/walletScript.js'

/** Parameters of {@link createTestSolanaWallet}. */
export type CreateTestSolanaWalletParameters = {
  /** The service whose Solana cluster it pays on. */
  service: TestService
  /** Its balance by currency. It has plenty of every other. @units decimal strings in whole units */
  balance?: Readonly<Record<string, string>> | undefined
  /** Whether the app finds it connected, as after a reload. By default yes. */
  isConnected?: boolean | undefined
  /** Its account, for a test with more than one wallet. */
  address?: string | undefined
  /** The name under which apps find it. It replaces an earlier test wallet of that name. By default `Test wallet`. */
  name?: string | undefined
  /**
   * Whether it only signs, so that the app sends what it has signed: `solana:signTransaction` in place of
   * `solana:signAndSendTransaction`. By default no.
   */
  signsOnly?: boolean | undefined
}

/** A scripted wallet for a test of payments on Solana. */
export type TestSolanaWallet = {
  /**
   * The parameters of `solana` of `kassa/solana`: the service's cluster, and separate storage that remembers the
   * connection. A second `solana(wallet.parameters)` is the app after a reload.
   */
  parameters: SolanaParameters
  /** The wallet as Wallet Standard describes it, for an app that connects wallets by other means. */
  wallet: StandardWallet
  name: string
  address: string
  /** All requests to the wallet, the oldest first. */
  requests: readonly WalletRequest[]
  /** Makes the owner decline the next request: to connect or to pay. */
  rejectNext(): void
  /** Leaves the next request open until the test answers it. */
  holdNext(): HeldRequest
  /** Sends the next payment, and breaks the connection before the app has the answer. */
  loseNext(): void
  /** Answers the next payment as usual, but never sends it. No block includes it. */
  dropNext(): void
  /** Sets its balance. @units decimal string in whole units of the currency */
  setBalance(currency: string, amount: string): void
  /** Switches to another cluster, such as `mainnet`, as its owner would. The service's is `devnet`. */
  setCluster(cluster: string): void
  /** Switches to another account, as its owner would. */
  setAccount(address: string): void
  /** Disconnects the app, as its owner would in the wallet. */
  disconnect(): void
  /** Removes it from the browser. */
  remove(): void
}

/** The removal of each test wallet in this browser, by the name of the wallet. */
const removals = new Map<string, () => void>()

/**
 * Creates a Solana wallet for a test, which apps find in the browser as they find a buyer's. It pays on the cluster
 * of a test service that has the chain `solana`. The key of its address does not exist: its signatures are 64
 * deterministic bytes that only the test cluster accepts.
 *
 * @example
 * ```tsx
 * import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
 * import { Checkout, CheckoutProvider } from 'kassa'
 * import { solana } from 'kassa/solana'
 * import { createTestService, createTestSolanaWallet, createTestWallet } from 'kassa/testing'
 * import { WagmiProvider } from 'wagmi'
 *
 * const service = createTestService({ chains: ['base-sepolia', 'solana'] })
 * const wallet = createTestSolanaWallet({ service, balance: { sol: '5' } })
 * const payments = solana(wallet.parameters)
 *
 * export const checkout = (orderId: string, clientSecret: string) => (
 *   <WagmiProvider config={createTestWallet({ service }).config}>
 *     <QueryClientProvider client={new QueryClient()}>
 *       <CheckoutProvider client={service.client} {...service.rules} solana={payments}>
 *         <Checkout.Panel orderId={orderId} clientSecret={clientSecret} />
 *       </CheckoutProvider>
 *     </QueryClientProvider>
 *   </WagmiProvider>
 * )
 * ```
 */
export const createTestSolanaWallet = ({
  service,
  balance = {},
  isConnected = true,
  address = solanaBuyer,
  name = 'Test wallet',
  signsOnly = false,
}: CreateTestSolanaWalletParameters): TestSolanaWallet => {
  if (!service.chains.includes('solana')) {
    throw new Error(
      "The test service has no Solana cluster: name 'solana' in the chains of createTestService",
    )
  }
  const { script, rejectNext, holdNext } = createWalletScript()
  const endings: SolanaEnding[] = []
  const requests: WalletRequest[] = []
  const made = createStandardWallet(
    getWorld(service).solana,
    { script: { agree: script.agree, takeEnding: () => endings.shift() }, requests },
    { name, address, cluster: service.solana.cluster, isConnected, signsOnly },
  )
  const storage = createMemoryStorage()
  if (isConnected) storage.setItem(storageKey, name)
  const setBalance = (currency: string, amount: string): void =>
    service.setBalance(made.account(), currency, amount)
  for (const [currency, amount] of Object.entries(balance)) setBalance(currency, amount)
  removals.get(name)?.()
  const unregister = registerWallet(made.wallet)
  const remove = (): void => {
    unregister()
    if (removals.get(name) === remove) removals.delete(name)
  }
  removals.set(name, remove)
  return {
    parameters: { ...service.solana, storage },
    wallet: made.wallet,
    name,
    get address() {
      return made.account()
    },
    requests,
    rejectNext,
    holdNext,
    loseNext: () => void endings.push('lost'),
    dropNext: () => void endings.push('dropped'),
    setBalance,
    setCluster: made.setCluster,
    setAccount: made.setAccount,
    disconnect: made.disconnect,
    remove,
  }
}
