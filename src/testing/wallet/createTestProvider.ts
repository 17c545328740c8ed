import { type Address, getAddress, type Hex, isHex, numberToHex } from 'viem'
import { RpcError } from '../../chain/evm/rpcError.js'
import type { TypedData } from '../../schema/authorization.js'
import type { RpcCall, TestChains } from '../evm/answerNode.js'
import { readCall } from '../evm/answerNode.js'
import type { TestWorld } from '../service/testWorld.js'
import { standInAccount } from '../standInAccount.js'
import type { WalletScript } from './walletScript.js'

type Listener = (value: unknown) => void

/** What a wallet was asked for. */
export type WalletRequest = { method: string; params: unknown }

/** A wallet at the boundary of EIP-1193, over the chains of a test service. */
export type TestProvider = {
  request(call: RpcCall): Promise<unknown>
  on(event: string, listener: Listener): void
  removeListener(event: string, listener: Listener): void
  emit(event: string, value: unknown): void
  /** Asks the owner whether the app may connect. */
  ask(): Promise<void>
  account(): Address
  setAccount(account: Address): void
  chainId(): number
  setChainId(chainId: number): void
}

const readChainId = (params: unknown): number => {
  const [first]: unknown[] = Array.isArray(params) ? params : []
  const id = typeof first === 'object' && first !== null && 'chainId' in first ? first.chainId : undefined
  return Number(id)
}

/** What the parts of a wallet share: its chains and script, and where it stands. */
type Standing = { chains: TestChains; script: WalletScript; account: Address; chainId: number }

const send = async (wallet: Standing, params: unknown): Promise<Hex> => {
  const { chains, script } = wallet
  const { gas, ...call } = readCall(Array.isArray(params) ? params[0] : undefined)
  const wanted = readChainId(params)
  if (wanted && wanted !== wallet.chainId) throw new RpcError(-32602, 'the wallet is on another chain')
  if (getAddress(call.from) !== wallet.account) throw new RpcError(4100, 'not an account of this wallet')
  await script.agree()
  const replacement = script.takeReplacement()
  const nothing = { ...call, to: wallet.account, value: 0n, data: '0x' } as const
  const replacedBy = replacement === 'speed-up' ? call : replacement === 'cancel' ? nothing : undefined
  return chains.send(wallet.chainId, call, { gas, replacedBy })
}

/** Signs bytes for the account, of which it has no key: what stands in for it does. */
const sign = async (wallet: Standing, params: unknown): Promise<Hex> => {
  const [raw, signer]: unknown[] = Array.isArray(params) ? params : []
  if (!isHex(raw)) throw new RpcError(-32602, 'expected bytes to sign')
  if (typeof signer !== 'string' || getAddress(signer) !== wallet.account)
    throw new RpcError(4100, 'not an account of this wallet')
  await wallet.script.agree()
  return standInAccount(wallet.account).signMessage({ message: { raw } })
}

/** Signs typed data for the account, on the chain that the wallet is on. */
const signTypedData = async (wallet: Standing, params: unknown): Promise<Hex> => {
  const [signer, text]: unknown[] = Array.isArray(params) ? params : []
  if (typeof signer !== 'string' || getAddress(signer) !== wallet.account)
    throw new RpcError(4100, 'not an account of this wallet')
  const data: TypedData = JSON.parse(String(text))
  if (Number(data.domain.chainId) !== wallet.chainId)
    throw new RpcError(-32602, 'the wallet is on another chain')
  await wallet.script.agree()
  // The cast is deliberate: viem derives the type of a message from types that are literals.
  return standInAccount(wallet.account).signTypedData(data as never)
}

/** Makes the wallet of a test: it keeps its keys to itself, and asks its script before it signs. */
export const createTestProvider = (
  { chains }: Pick<TestWorld, 'chains'>,
  { script, requests }: { script: WalletScript; requests: WalletRequest[] },
  { canSignTypedData, ...start }: { account: Address; chainId: number; canSignTypedData: boolean },
): TestProvider => {
  const standing: Standing = { chains, script, ...start }
  const listeners = new Map<string, Set<Listener>>()
  const emit = (event: string, value: unknown): void => {
    for (const listener of listeners.get(event) ?? []) listener(value)
  }
  const setChainId = (next: number): void => {
    standing.chainId = next
    emit('chainChanged', numberToHex(next))
  }
  return {
    ask: script.agree,
    account: () => standing.account,
    chainId: () => standing.chainId,
    emit,
    setChainId,
    setAccount: (next) => {
      standing.account = getAddress(next)
      emit('accountsChanged', [standing.account])
    },
    on: (event, listener) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener: (event, listener) => {
      listeners.get(event)?.delete(listener)
    },
    request: async ({ method, params }) => {
      requests.push({ method, params })
      switch (method) {
        case 'eth_accounts':
        case 'eth_requestAccounts':
          return [standing.account]
        case 'eth_chainId':
          return numberToHex(standing.chainId)
        case 'wallet_switchEthereumChain': {
          await script.agree()
          setChainId(readChainId(params))
          return null
        }
        case 'wallet_addEthereumChain':
        case 'wallet_requestPermissions':
          return null
        case 'eth_sendTransaction':
          return send(standing, params)
        case 'personal_sign':
          return sign(standing, params)
        case 'eth_signTypedData_v4':
          if (!canSignTypedData) throw new RpcError(4200, 'The method eth_signTypedData_v4 is not supported.')
          return signTypedData(standing, params)
        default:
          return chains.request(standing.chainId, { method, params })
      }
    },
  }
}
