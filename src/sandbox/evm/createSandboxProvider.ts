import {
  type Chain,
  createClient,
  createWalletClient,
  type Hex,
  hexToBigInt,
  hexToNumber,
  numberToHex,
} from 'viem'
import { RpcError } from '../../chain/evm/rpcError.js'
import type { SandboxPayment } from '../sandboxPayment.js'
import { describePayment, type SendRequest } from './describePayment.js'
import type { SandboxChain } from './openSandbox.js'
import type { WalletStore } from './walletStore.js'

/** A wallet as EIP-1193 describes it. */
export type SandboxProvider = { request(call: { method: string; params?: unknown }): Promise<unknown> }

/** The wallet's dependencies. */
export type SandboxProviderParameters = {
  /** The chains of the app. */
  chains: readonly [Chain, ...Chain[]]
  store: WalletStore
  /**
   * Returns the sandbox's chain with an id; throws if the service is not a sandbox. Called only when needed.
   */
  findChain(chainId: number): Promise<SandboxChain | undefined>
  confirm?: ((payment: SandboxPayment) => boolean | Promise<boolean>) | undefined
  onChainChanged(chainId: number): void
}

/**
 * Creates a wallet around the account of this browser. It really signs, but only on the chains of a sandbox.
 */
export const createSandboxProvider = (parameters: SandboxProviderParameters): SandboxProvider => {
  const { chains, store, findChain, confirm, onChainChanged } = parameters
  let current = chains[0]

  const getAccounts = () => (store.isPermitted() ? [store.getAccount().address] : [])

  const getChain = async (): Promise<SandboxChain> => {
    const chain = await findChain(current.id)
    if (!chain) throw new RpcError(4901, `${current.name} is not a chain of the sandbox.`)
    return chain
  }

  const switchChain = async (chainId: Hex): Promise<null> => {
    const next = chains.find(({ id }) => id === hexToNumber(chainId))
    if (!next || !(await findChain(next.id))) {
      throw new RpcError(4902, `The sandbox wallet does not know the chain id ${chainId}.`)
    }
    if (next !== current) {
      current = next
      onChainChanged(next.id)
    }
    return null
  }

  const send = async (request: SendRequest): Promise<Hex> => {
    const account = store.getAccount()
    const { to, from, value, data, gas, chainId } = request
    if (!to) throw new RpcError(-32602, 'The sandbox wallet cannot deploy contracts.')
    if (!store.isPermitted() || from?.toLowerCase() !== account.address.toLowerCase()) {
      throw new RpcError(4100, 'The sandbox wallet is not connected as this account.')
    }
    const on = current
    if (chainId && hexToNumber(chainId) !== on.id) {
      throw new RpcError(4901, 'The sandbox wallet is on another chain.')
    }
    const chain = await getChain()
    const payment = describePayment(
      chain,
      on.nativeCurrency.symbol.toLowerCase(),
      { ...request, to },
      account.address,
    )
    if (confirm && !(await confirm(payment))) {
      throw new RpcError(4001, 'Declined in the sandbox wallet.')
    }
    return createWalletClient({ account, chain: on, transport: chain.transport }).sendTransaction({
      to,
      value: hexToBigInt(value ?? '0x0'),
      ...(data && { data }),
      ...(gas && { gas: hexToBigInt(gas) }),
    })
  }

  const read = async (call: { method: string; params?: unknown }): Promise<unknown> => {
    const { transport } = await getChain()
    // The cast is deliberate: a wallet forwards any method, so no list of methods types it.
    return createClient({ transport }).request(call as never)
  }

  return {
    request: async ({ method, params }) => {
      const [first] = Array.isArray(params) ? params : []
      switch (method) {
        case 'eth_requestAccounts':
          await findChain(current.id)
          store.setPermitted(true)
          return getAccounts()
        case 'eth_accounts':
          return getAccounts()
        case 'eth_chainId':
          return numberToHex(current.id)
        case 'wallet_switchEthereumChain':
          return switchChain(first?.chainId)
        case 'eth_sendTransaction':
          return send(first ?? {})
        default:
          // The wallet answers chain reads and signs payments, but signs nothing else.
          if (/^eth_(sign|sendRaw)/.test(method) || !method.startsWith('eth_')) {
            throw new RpcError(4200, `The sandbox wallet does not support ${method}.`)
          }
          return read({ method, params })
      }
    },
  }
}
