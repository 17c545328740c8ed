import { RpcError } from '../../chain/evm/rpcError.js'
import { readTransaction } from '../../chain/solana/transaction.js'
import { decodeBase58 } from '../../engine/solana/base58.js'
import type { StandardAccount, StandardWallet } from '../../pay/solana/walletStandard.js'
import { pictures } from '../pictures.js'
import { signBytes, writeTransaction } from '../solana/signBytes.js'
import type { TestSolana } from '../solana/testSolana.js'
import type { WalletRequest } from './createTestProvider.js'
import type { WalletScript } from './walletScript.js'

/** What happens to the next payment after its owner has agreed. */
export type SolanaEnding = 'lost' | 'dropped'

/** The script of a wallet on Solana. */
export type SolanaWalletScript = Pick<WalletScript, 'agree'> & { takeEnding(): SolanaEnding | undefined }

type Change = { accounts: readonly StandardAccount[] }

type SignInput = { account: StandardAccount; transaction: Uint8Array; chain: string }

/** A wallet at the boundary of Wallet Standard, over the cluster of a test service. */
export type TestStandardWallet = {
  wallet: StandardWallet
  account(): string
  setAccount(address: string): void
  setCluster(cluster: string): void
  disconnect(): void
}

/** What a wallet starts with. */
export type StandardWalletTerms = {
  name: string
  address: string
  cluster: string
  isConnected: boolean
  /** Whether it leaves it to the app to send what it has signed. */
  signsOnly: boolean
}

const clusters = ['mainnet', 'devnet', 'testnet', 'localnet'] as const
const toChain = (cluster: string) => `solana:${cluster}` as const
/** The versions of transactions that it signs. */
const supportedTransactionVersions = ['legacy', 0] as const
const version = '1.0.0' as const

/** Creates the wallet of a test. It asks its script before it signs. */
export const createStandardWallet = (
  chain: TestSolana,
  { script, requests }: { script: SolanaWalletScript; requests: WalletRequest[] },
  start: StandardWalletTerms,
): TestStandardWallet => {
  const listeners = new Set<(change: Change) => void>()
  const sending = start.signsOnly ? 'solana:signTransaction' : 'solana:signAndSendTransaction'
  let { address, cluster, isConnected } = start

  const getAccounts = (): readonly (StandardAccount & { publicKey: Uint8Array })[] => {
    const publicKey = decodeBase58(address) ?? new Uint8Array()
    const account = { address, publicKey, chains: [toChain(cluster)], features: [sending] }
    return isConnected ? [account] : []
  }
  const tell = (): void => {
    for (const listener of [...listeners]) listener({ accounts: getAccounts() })
  }

  /** Signs a transaction, once its owner agrees. */
  const sign = async (method: string, input: SignInput) => {
    requests.push({ method, params: input })
    if (input.account.address !== address) throw new RpcError(4100, 'not an account of this wallet')
    const { message, signatures = [] } = readTransaction(input.transaction) ?? {}
    if (!message) throw new RpcError(-32602, 'expected a transaction to sign')
    await script.agree()
    const signature = signBytes(message)
    return { signature, signedTransaction: writeTransaction([signature, ...signatures.slice(1)], message) }
  }

  const signAndSend = async (input: SignInput): Promise<{ signature: Uint8Array }> => {
    const { signature, signedTransaction } = await sign(sending, input)
    const ending = script.takeEnding()
    if (ending !== 'dropped') chain.send(signedTransaction)
    if (ending === 'lost') throw new Error('the connection to the wallet was lost')
    return { signature }
  }

  /** Does one thing for each input, in their order. */
  const forEach =
    <Output>(work: (input: SignInput) => Promise<Output>) =>
    async (...inputs: SignInput[]): Promise<Output[]> => {
      const outputs: Output[] = []
      for (const input of inputs) outputs.push(await work(input))
      return outputs
    }

  const signTransaction = forEach((input) => sign(sending, input))
  const signAndSendTransaction = forEach(signAndSend)
  const signing = start.signsOnly
    ? { 'solana:signTransaction': { version, supportedTransactionVersions, signTransaction } }
    : { 'solana:signAndSendTransaction': { version, supportedTransactionVersions, signAndSendTransaction } }

  const wallet = {
    version,
    name: start.name,
    icon: pictures.bloom,
    chains: clusters.map(toChain),
    get accounts() {
      return getAccounts()
    },
    features: {
      'standard:connect': {
        version,
        connect: async (input: { silent?: boolean } = {}) => {
          requests.push({ method: 'standard:connect', params: input })
          if (!input.silent) {
            await script.agree()
            isConnected = true
          }
          return { accounts: getAccounts() }
        },
      },
      'standard:disconnect': {
        version,
        disconnect: async () => {
          isConnected = false
        },
      },
      'standard:events': {
        version,
        on: (_event: 'change', listener: (change: Change) => void) => {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        },
      },
      ...signing,
    },
  }

  return {
    wallet,
    account: () => address,
    setAccount: (next) => {
      address = next
      tell()
    },
    setCluster: (next) => {
      cluster = next
      tell()
    },
    disconnect: () => {
      isConnected = false
      tell()
    },
  }
}
