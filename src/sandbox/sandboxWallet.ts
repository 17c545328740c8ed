import { numberToHex } from 'viem'
import type { CreateConnectorFn } from 'wagmi'
import type { LedgerStorage } from '../chain/ledger.js'
import { RpcError } from '../chain/rpcError.js'
import { createSandboxProvider, type SandboxProvider } from './createSandboxProvider.js'
import type { SandboxPayment } from './describePayment.js'
import { isNoSandbox, openSandbox, type SandboxChain } from './openSandbox.js'
import { createWalletStore } from './walletStore.js'

/** Parameters of {@link sandboxWallet}. */
export type SandboxWalletParameters = {
  /** The service, as `createClient` takes it: ends in `/api`. It must be a sandbox. */
  baseUrl: string
  /** Where the wallet's key is kept: localStorage by default. */
  storage?: LedgerStorage | undefined
  /** Asks the owner before a payment is signed; false declines it. Without it every payment is signed. */
  confirm?: ((payment: SandboxPayment) => boolean | Promise<boolean>) | undefined
}

/**
 * A wallet for development, as a connector of wagmi: its key is made in this browser, its funds come from the
 * sandbox's faucet, and its payments are real transactions on the sandbox's chains. Against a service that is no
 * sandbox it does not connect.
 *
 * @throws RpcError from connecting, when the service is no sandbox or does not answer.
 * @example
 * ```ts
 * import { sandboxWallet } from 'kassa/sandbox'
 * import { baseSepolia } from 'viem/chains'
 * import { createConfig, http, injected } from 'wagmi'
 *
 * export const config = createConfig({
 *   chains: [baseSepolia],
 *   connectors: [injected(), sandboxWallet({ baseUrl: 'http://localhost:4000/api' })],
 *   transports: { [baseSepolia.id]: http('http://localhost:4000/rpc/base-sepolia') },
 * })
 * ```
 */
export const sandboxWallet = ({
  baseUrl,
  storage,
  confirm,
}: SandboxWalletParameters): CreateConnectorFn<SandboxProvider> => {
  const store = createWalletStore(storage)
  let opened: Promise<SandboxChain[]> | undefined
  // Asked once; a sandbox that was away is asked again.
  const open = (): Promise<SandboxChain[]> => {
    opened ??= openSandbox(baseUrl).catch((error) => {
      opened = undefined
      // Or else a wallet that met a sandbox once would be connected to whatever is at this address now.
      if (isNoSandbox(error)) store.setPermitted(false)
      throw error
    })
    return opened
  }
  return ({ chains, emitter }) => {
    const provider = createSandboxProvider({
      chains,
      store,
      confirm,
      findChain: async (chainId) => (await open()).find((chain) => chain.chainId === chainId),
      onChainChanged: (chainId) => emitter.emit('change', { chainId }),
    })
    const getChainId = async (): Promise<number> => Number(await provider.request({ method: 'eth_chainId' }))
    const switchChain = async ({ chainId }: { chainId: number }) => {
      const params = [{ chainId: numberToHex(chainId) }]
      await provider.request({ method: 'wallet_switchEthereumChain', params })
      const chain = chains.find(({ id }) => id === chainId)
      if (!chain) throw new RpcError(4902, `The app has no chain with the id ${chainId}.`)
      return chain
    }
    const topUp = async (): Promise<void> => {
      const { address } = store.getAccount()
      const shared = (await open()).filter(({ chainId }) => chains.some(({ id }) => id === chainId))
      await Promise.all(shared.map((chain) => chain.topUp(address)))
    }
    return {
      id: 'kassa.sandbox',
      name: 'Sandbox wallet',
      type: 'sandbox',
      connect: async ({ chainId, isReconnecting, withCapabilities } = {}) => {
        // A sandbox that is away when a page is reloaded may come back; what it cannot do until then it says itself.
        const isThere = await open().catch((error: unknown) => {
          if (!isReconnecting || isNoSandbox(error)) throw error
        })
        if (!isReconnecting) await topUp()
        else if (isThere) void topUp().catch(() => undefined)
        if (chainId !== undefined && chainId !== (await getChainId())) await switchChain({ chainId })
        store.setPermitted(true)
        const { address } = store.getAccount()
        return {
          // A cast on purpose: wagmi's type asks which of the two shapes was asked for.
          accounts: (withCapabilities ? [{ address, capabilities: {} }] : [address]) as never,
          chainId: await getChainId(),
        }
      },
      disconnect: async () => store.setPermitted(false),
      getAccounts: async () => (store.isPermitted() ? [store.getAccount().address] : []),
      getChainId,
      getProvider: async () => provider,
      isAuthorized: async () => store.isPermitted(),
      switchChain,
      // The account never changes, and for a change of the chain the emitter is notified directly.
      onAccountsChanged: () => undefined,
      onChainChanged: () => undefined,
      onDisconnect: () => undefined,
    }
  }
}
