import { getAddress, isHex, numberToHex, SwitchChainError } from 'viem'
import { type CreateConnectorFn, createConnector } from 'wagmi'
import type { TestProvider } from './createTestProvider.js'

const readAccounts = (answer: unknown): `0x${string}`[] =>
  Array.isArray(answer)
    ? answer.filter((account) => isHex(account)).map((account) => getAddress(account))
    : []

/**
 * Connects a test's wallet to wagmi.
 *
 * @param isAuthorized - Whether the app may have it without asking, as after a reload.
 */
export const connectTestProvider = (provider: TestProvider, isAuthorized: boolean): CreateConnectorFn =>
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
        if (!chain) throw new SwitchChainError(new Error(`The app knows no chain ${chainId}`))
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
