import { numberToHex } from 'viem'
import type { CreateConnectorFn } from 'wagmi'
import type { WebStorage } from '../../chain/attemptStore.js'
import { RpcError } from '../../chain/evm/rpcError.js'
import { isNoSandbox } from '../readSandbox.js'
import type { SandboxPayment } from '../sandboxPayment.js'
import { createSandboxProvider, type SandboxProvider } from './createSandboxProvider.js'
import { openSandbox, type SandboxChain } from './openSandbox.js'
import { createWalletStore } from './walletStore.js'

/** Parameters of {@link sandboxWallet}. */
export type SandboxWalletParameters = {
  /** The service's address as `createClient` takes it, ending in `/api`. It must be a sandbox. */
  baseUrl: string
  /** Where the wallet's key is stored. By default localStorage. */
  storage?: WebStorage | undefined
  /** Asks the owner to confirm a payment; false declines it. Without it every payment is signed. */
  confirm?: ((payment: SandboxPayment) => boolean | Promise<boolean>) | undefined
}

/**
 * Creates a wagmi connector for a development wallet. Its key is created in this browser, its funds come from
 * the sandbox's faucet, and its payments are real transactions on the sandbox's chains. It does not connect
 * to a service that is not a sandbox.
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
  // Asked once; an unavailable sandbox is asked again.
  const open = (): Promise<SandboxChain[]> => {
    opened ??= openSandbox(baseUrl).catch((error) => {
      opened = undefined
      // Otherwise a wallet that connected to a sandbox once would stay connected to any service at this
      // address.
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
      if (!chain) throw new RpcError(4902, `The app does not have the chain id ${chainId}.`)
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
      connect: async ({ chainId, isReconnecting } = {}) => {
        // A sandbox that is unavailable at a reload may return; until then its calls report the error.
        const isThere = await open().catch((error: unknown) => {
          if (!isReconnecting || isNoSandbox(error)) throw error
        })
        if (!isReconnecting) await topUp()
        else if (isThere) void topUp().catch(() => undefined)
        if (chainId !== undefined && chainId !== (await getChainId())) await switchChain({ chainId })
        store.setPermitted(true)
        const { address } = store.getAccount()
        return {
          // Without capabilities wagmi takes the accounts as they are, whichever form its caller asks for.
          accounts: [address] as never,
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
