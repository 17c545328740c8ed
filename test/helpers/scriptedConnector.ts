import { getAddress, type Hex, numberToHex, SwitchChainError } from 'viem'
import { createConnector } from 'wagmi'
import type { createScriptedWallet } from './scriptedWallet.js'

type Wallet = ReturnType<typeof createScriptedWallet>

/** Connects a scripted wallet to wagmi; wagmi's own injected connector wants a window, and the service wants none. */
export const scriptedConnector = ({ provider }: Wallet) =>
  createConnector<Wallet['provider']>((config) => ({
    id: 'scripted',
    name: 'Scripted',
    type: 'scripted',
    async connect() {
      provider.on('accountsChanged', this.onAccountsChanged)
      provider.on('chainChanged', this.onChainChanged)
      // Without capabilities wagmi takes the accounts as they are.
      return { accounts: (await this.getAccounts()) as never, chainId: await this.getChainId() }
    },
    async disconnect() {
      provider.removeListener('accountsChanged', this.onAccountsChanged)
      provider.removeListener('chainChanged', this.onChainChanged)
    },
    getAccounts: async () => {
      const accounts = (await provider.request({ method: 'eth_requestAccounts' })) as Hex[]
      return accounts.map((account) => getAddress(account))
    },
    getChainId: async () => Number(await provider.request({ method: 'eth_chainId' })),
    getProvider: async () => provider,
    isAuthorized: async () => true,
    switchChain: async ({ chainId }) => {
      try {
        await provider.request({
          method: 'wallet_switchEthereumChain',
          params: [{ chainId: numberToHex(chainId) }],
        })
      } catch (error) {
        throw new SwitchChainError(error as Error)
      }
      const chain = config.chains.find(({ id }) => id === chainId)
      if (!chain) throw new Error('not a chain of this app')
      return chain
    },
    onAccountsChanged: (accounts) =>
      config.emitter.emit('change', { accounts: accounts.map((account) => getAddress(account)) }),
    onChainChanged: (chainId) => config.emitter.emit('change', { chainId: Number(chainId) }),
    onDisconnect: () => config.emitter.emit('disconnect'),
  }))
