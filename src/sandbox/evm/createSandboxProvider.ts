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
import { signPayment } from './signPayment.js'
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

/** A wallet's dependencies, and the chain that it is on. */
type Wallet = SandboxProviderParameters & { current: Chain }

const getAccounts = ({ store }: Wallet) => (store.isPermitted() ? [store.getAccount().address] : [])

const getChain = async ({ findChain, current }: Wallet): Promise<SandboxChain> => {
  const chain = await findChain(current.id)
  if (!chain) throw new RpcError(4901, `${current.name} is not a chain of the sandbox.`)
  return chain
}

const switchChain = async (wallet: Wallet, chainId: Hex): Promise<null> => {
  const { chains, findChain, onChainChanged } = wallet
  const next = chains.find(({ id }) => id === hexToNumber(chainId))
  if (!next || !(await findChain(next.id))) {
    throw new RpcError(4902, `The sandbox wallet does not know the chain id ${chainId}.`)
  }
  if (next !== wallet.current) {
    wallet.current = next
    onChainChanged(next.id)
  }
  return null
}

/** Signs and sends a transaction of the connected account, once its owner has confirmed it. */
const send = async (wallet: Wallet, request: SendRequest): Promise<Hex> => {
  const { store, confirm, current: on } = wallet
  const account = store.getAccount()
  const { to, from, value, data, gas, chainId } = request
  if (!to) throw new RpcError(-32602, 'The sandbox wallet cannot deploy contracts.')
  if (!store.isPermitted() || from?.toLowerCase() !== account.address.toLowerCase()) {
    throw new RpcError(4100, 'The sandbox wallet is not connected as this account.')
  }
  if (chainId && hexToNumber(chainId) !== on.id) {
    throw new RpcError(4901, 'The sandbox wallet is on another chain.')
  }
  const chain = await getChain(wallet)
  const coin = on.nativeCurrency.symbol.toLowerCase()
  const payment = describePayment(chain, coin, { ...request, to, from: account.address })
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

const read = async (wallet: Wallet, call: { method: string; params?: unknown }): Promise<unknown> => {
  const { transport } = await getChain(wallet)
  // The cast is deliberate: a wallet forwards any method, so no list of methods types it.
  return createClient({ transport }).request(call as never)
}

/**
 * Creates a wallet around the account of this browser. It really signs, but only on the chains of a sandbox.
 */
export const createSandboxProvider = (parameters: SandboxProviderParameters): SandboxProvider => {
  const wallet: Wallet = { ...parameters, current: parameters.chains[0] }
  return {
    request: async ({ method, params }) => {
      const [first] = Array.isArray(params) ? params : []
      switch (method) {
        case 'eth_requestAccounts':
          await wallet.findChain(wallet.current.id)
          wallet.store.setPermitted(true)
          return getAccounts(wallet)
        case 'eth_accounts':
          return getAccounts(wallet)
        case 'eth_chainId':
          return numberToHex(wallet.current.id)
        case 'wallet_switchEthereumChain':
          return switchChain(wallet, first?.chainId)
        case 'eth_sendTransaction':
          return send(wallet, first ?? {})
        case 'eth_signTypedData_v4':
          return signPayment(parameters, await getChain(wallet), Array.isArray(params) ? params : [])
        default:
          // The wallet answers chain reads and signs payments, but signs nothing else.
          if (/^eth_(sign|sendRaw)/.test(method) || !method.startsWith('eth_')) {
            throw new RpcError(4200, `The sandbox wallet does not support ${method}.`)
          }
          return read(wallet, { method, params })
      }
    },
  }
}
