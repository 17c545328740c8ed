import { callNode, NodeRefusal } from '../../callNode'
import type { SolanaNetwork } from '../../networks'
import type { WalletStorage } from '../account'
import type { PaymentRequest } from '../confirmations'
import { ProviderError } from '../providerError'
import { describePayment } from './describePayment'
import { type DemoKey, forgetKey, getKey, isPermitted, setPermitted } from './key'
import { findMessageStart, insertSignature, readMessage } from './readMessage'
import type { ChangeListener, SignInput, StandardAccount, StandardWallet } from './standard'

/** The demo wallet's dependencies. */
export type SolanaDemoParameters = {
  network: SolanaNetwork
  storage: WalletStorage
  /** Asks the owner to confirm a payment. */
  confirm(request: PaymentRequest): Promise<boolean>
}

/** The demo wallet on Solana. */
export type SolanaDemo = {
  wallet: StandardWallet
  /** Replaces this account with a new one, as switching accounts in a wallet does. */
  switchAccount(): Promise<void>
}

/** The cluster of a sandbox. */
const chain = 'solana:localnet'

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" fill="none" stroke="#2436c2" stroke-width="2"><rect x="9" y="13" width="22" height="16" rx="3" stroke-dasharray="4 3"/><circle cx="26" cy="21" r="1.5" fill="#2436c2" stroke="none"/></svg>',
)}`

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Creates a wallet around one key of this browser. It signs only payments, and only what its owner confirms. */
export const createSolanaDemo = ({ network, storage, confirm }: SolanaDemoParameters): SolanaDemo => {
  const listeners = new Set<ChangeListener>()
  let accounts: readonly StandardAccount[] = []

  const setAccounts = (next: readonly StandardAccount[]): void => {
    accounts = next
    for (const listener of [...listeners]) listener({ accounts })
  }

  const openAccount = async (): Promise<void> => {
    const { address, publicKey } = await getKey(storage)
    if (accounts[0]?.address === address) return
    const features = ['solana:signTransaction', 'solana:signAndSendTransaction']
    setAccounts([{ address, publicKey, chains: [chain], features }])
  }

  const connect = async ({ silent = false }: { silent?: boolean } = {}) => {
    if (silent && !isPermitted(storage)) return { accounts: [] }
    await openAccount()
    setPermitted(storage, true)
    return { accounts }
  }

  const disconnect = async (): Promise<void> => {
    setPermitted(storage, false)
    setAccounts([])
  }

  const findKey = async (input: SignInput): Promise<DemoKey> => {
    const key = await getKey(storage)
    if (!isPermitted(storage) || input.account.address !== key.address) {
      throw new ProviderError(4100, 'The demo wallet was not connected with this account.')
    }
    if (input.chain !== undefined && input.chain !== chain) {
      throw new ProviderError(4200, 'The demo wallet pays on the sandbox’s own cluster only.')
    }
    return key
  }

  const sign = async (input: SignInput) => {
    const key = await findKey(input)
    const bytes = input.transaction.subarray(findMessageStart(input.transaction))
    const message = readMessage(bytes)
    const index = message.signers.indexOf(key.address)
    const payment = describePayment(message, network)
    if (index < 0 || !payment) throw new ProviderError(4200, 'The demo wallet signs payments only.')
    const isConfirmed = await confirm({ ...payment, network: network.label, from: key.address })
    if (!isConfirmed) throw new ProviderError(4001, 'Declined in the demo wallet.')
    const signature = await key.sign(bytes)
    return { signature, signedTransaction: insertSignature(input.transaction, index, signature) }
  }

  const send = async (transaction: Uint8Array): Promise<void> => {
    const options = { encoding: 'base64', preflightCommitment: 'confirmed' }
    try {
      await callNode(network.rpcUrl, 'sendTransaction', [toBase64(transaction), options])
    } catch (cause) {
      // Without an answer, the transaction may have been sent, and no code may say otherwise.
      if (!(cause instanceof NodeRefusal)) throw cause
      throw new ProviderError(4900, `The network did not take the payment: ${cause.message}`, { cause })
    }
  }

  /** Does one thing after the other, because the owner is asked one question at a time. */
  const inOrder = async <Result>(
    inputs: readonly SignInput[],
    work: (input: SignInput) => Promise<Result>,
  ): Promise<Result[]> => {
    const results: Result[] = []
    for (const input of inputs) results.push(await work(input))
    return results
  }

  const version = '1.0.0'
  const supportedTransactionVersions = ['legacy', 0] as const
  return {
    wallet: {
      version,
      name: 'Demo wallet',
      icon,
      chains: [chain],
      get accounts() {
        return accounts
      },
      features: {
        'standard:connect': { version, connect },
        'standard:disconnect': { version, disconnect },
        'standard:events': {
          version,
          on: (_event, listener) => {
            listeners.add(listener)
            return () => listeners.delete(listener)
          },
        },
        'solana:signTransaction': {
          version,
          supportedTransactionVersions,
          signTransaction: (...inputs) => inOrder(inputs, sign),
        },
        'solana:signAndSendTransaction': {
          version,
          supportedTransactionVersions,
          signAndSendTransaction: (...inputs) =>
            inOrder(inputs, async (input) => {
              const { signature, signedTransaction } = await sign(input)
              await send(signedTransaction)
              return { signature }
            }),
        },
      },
    },
    switchAccount: async () => {
      forgetKey(storage)
      await openAccount()
    },
  }
}
