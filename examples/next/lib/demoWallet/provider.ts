import { type Hex, hexToBigInt, numberToHex } from 'viem'
import type { EvmNetwork } from '../networks'
import { forgetAccount, isPermitted, setPermitted, type WalletStorage } from './account'
import type { PaymentRequest } from './confirmations'
import type { TransactionRequest } from './describePayment'
import { createEvents, type WalletEvents } from './events'
import { ProviderError } from './providerError'

/** The wallet's cryptography and node client, which a page needs only once the wallet is used. */
const loadSigning = () => import('./signing')

/** A wallet as EIP-1193 describes it. */
export type DemoProvider = Pick<WalletEvents, 'on' | 'removeListener'> & {
  request(call: { method: string; params?: unknown }): Promise<unknown>
  /** Replaces this account with a new one, as switching accounts in a wallet does. */
  switchAccount(): Promise<void>
}

/** The demo wallet's dependencies. */
export type DemoProviderParameters = {
  networks: readonly [EvmNetwork, ...EvmNetwork[]]
  storage: WalletStorage
  /** Asks the owner to confirm a payment. */
  confirm(request: PaymentRequest): Promise<boolean>
}

/** Creates a wallet around one account of this browser. It signs only what its owner confirms. */
export const createDemoProvider = (parameters: DemoProviderParameters): DemoProvider => {
  const { networks, storage, confirm } = parameters
  const { on, removeListener, emit } = createEvents()
  let network = networks[0]

  const accounts = async (): Promise<string[]> =>
    isPermitted(storage) ? [(await loadSigning()).getAccount(storage).address] : []

  const connect = (): Promise<string[]> => {
    setPermitted(storage, true)
    return accounts()
  }

  const disconnect = (): null => {
    setPermitted(storage, false)
    emit('accountsChanged', [])
    return null
  }

  const switchNetwork = (chainId: Hex | undefined): null => {
    const next = networks.find((known) => chainId && numberToHex(known.chainId) === chainId.toLowerCase())
    if (!next) throw new ProviderError(4902, 'The demo wallet does not know this network.')
    if (next !== network) {
      network = next
      emit('chainChanged', numberToHex(next.chainId))
    }
    return null
  }

  const send = async (transaction: TransactionRequest): Promise<Hex> => {
    const { describePayment, getAccount, sendPayment } = await loadSigning()
    const account = getAccount(storage)
    if (!isPermitted(storage) || transaction.from?.toLowerCase() !== account.address.toLowerCase()) {
      throw new ProviderError(4100, 'The demo wallet was not connected with this account.')
    }
    if (transaction.chainId && hexToBigInt(transaction.chainId) !== BigInt(network.chainId)) {
      throw new ProviderError(4901, 'The demo wallet is on another network.')
    }
    const on = network
    const payment = describePayment(transaction, on)
    const isConfirmed = await confirm({ ...payment, network: on.label, from: account.address })
    if (!isConfirmed) throw new ProviderError(4001, 'Declined in the demo wallet.')
    return sendPayment(account, on, transaction)
  }

  /** Signs a payment that the shop sends, or the permit for one. */
  const sign = async ([signer, text]: readonly unknown[]): Promise<Hex> => {
    const { describeSignature, getAccount, readTypedData } = await loadSigning()
    const account = getAccount(storage)
    const typedData = readTypedData(text)
    const payment = typedData && describeSignature(typedData, network)
    if (!payment) throw new ProviderError(4200, 'The demo wallet signs payments alone.')
    if (!isPermitted(storage) || String(signer).toLowerCase() !== account.address.toLowerCase()) {
      throw new ProviderError(4100, 'The demo wallet was not connected with this account.')
    }
    if (Number(typedData.domain?.chainId) !== network.chainId) {
      throw new ProviderError(4901, 'The demo wallet is on another network.')
    }
    const isConfirmed = await confirm({ ...payment, network: network.label, from: account.address })
    if (!isConfirmed) throw new ProviderError(4001, 'Declined in the demo wallet.')
    return account.signTypedData(typedData)
  }

  const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    const [first] = Array.isArray(params) ? params : []
    switch (method) {
      case 'eth_requestAccounts':
        return connect()
      case 'eth_accounts':
        return accounts()
      case 'eth_chainId':
        return numberToHex(network.chainId)
      case 'net_version':
        return String(network.chainId)
      case 'wallet_switchEthereumChain':
        return switchNetwork(first?.chainId)
      case 'wallet_revokePermissions':
        return disconnect()
      case 'eth_sendTransaction':
        return send(first ?? {})
      case 'eth_signTypedData_v4':
        return sign(Array.isArray(params) ? params : [])
      default:
        // The wallet answers chain reads and signs payments, but signs nothing else.
        if (/^eth_(sign|sendRaw)/.test(method) || !method.startsWith('eth_')) {
          throw new ProviderError(4200, `The demo wallet does not do ${method}.`)
        }
        return (await loadSigning()).askNode(network, method, params)
    }
  }

  const switchAccount = async (): Promise<void> => {
    forgetAccount(storage)
    emit('accountsChanged', await accounts())
  }

  return { request, on, removeListener, switchAccount }
}
