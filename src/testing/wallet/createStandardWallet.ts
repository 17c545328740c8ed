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

/** What the parts of a wallet share: what its test set, and what it records. */
type Standing = Omit<StandardWalletTerms, 'name'> & {
  script: SolanaWalletScript
  requests: WalletRequest[]
}

/** The feature by which a wallet signs. */
const signingOf = ({ signsOnly }: Pick<Standing, 'signsOnly'>) =>
  signsOnly ? 'solana:signTransaction' : 'solana:signAndSendTransaction'

/** Does one thing for each input, in their order. */
const forEach =
  <Output>(work: (input: SignInput) => Promise<Output>) =>
  async (...inputs: SignInput[]): Promise<Output[]> => {
    const outputs: Output[] = []
    for (const input of inputs) outputs.push(await work(input))
    return outputs
  }

/** The feature that signs transactions, once the owner of the wallet agrees. */
const createSigning = (chain: TestSolana, standing: Standing) => {
  const { script, requests, signsOnly } = standing
  const sign = async (input: SignInput) => {
    requests.push({ method: signingOf(standing), params: input })
    if (input.account.address !== standing.address) throw new RpcError(4100, 'not an account of this wallet')
    const { message, signatures = [] } = readTransaction(input.transaction) ?? {}
    if (!message) throw new RpcError(-32602, 'expected a transaction to sign')
    await script.agree()
    const signature = signBytes(message)
    return { signature, signedTransaction: writeTransaction([signature, ...signatures.slice(1)], message) }
  }
  const signAndSend = async (input: SignInput): Promise<{ signature: Uint8Array }> => {
    const { signature, signedTransaction } = await sign(input)
    const ending = script.takeEnding()
    if (ending !== 'dropped') chain.send(signedTransaction)
    if (ending === 'lost') throw new Error('the connection to the wallet was lost')
    return { signature }
  }
  const signTransaction = forEach(sign)
  const signAndSendTransaction = forEach(signAndSend)
  return signsOnly
    ? { 'solana:signTransaction': { version, supportedTransactionVersions, signTransaction } }
    : { 'solana:signAndSendTransaction': { version, supportedTransactionVersions, signAndSendTransaction } }
}

/** The features by which apps connect, and the changes that these hear of. */
const createConnection = (standing: Standing) => {
  const { script, requests } = standing
  const listeners = new Set<(change: Change) => void>()
  const getAccounts = (): readonly (StandardAccount & { publicKey: Uint8Array })[] => {
    const { address, cluster, isConnected } = standing
    const publicKey = decodeBase58(address) ?? new Uint8Array()
    const account = { address, publicKey, chains: [toChain(cluster)], features: [signingOf(standing)] }
    return isConnected ? [account] : []
  }
  const features = {
    'standard:connect': {
      version,
      connect: async (input: { silent?: boolean } = {}) => {
        requests.push({ method: 'standard:connect', params: input })
        if (!input.silent) {
          await script.agree()
          standing.isConnected = true
        }
        return { accounts: getAccounts() }
      },
    },
    'standard:disconnect': {
      version,
      disconnect: async () => {
        standing.isConnected = false
      },
    },
    'standard:events': {
      version,
      on: (_event: 'change', listener: (change: Change) => void) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
  }
  const change = (fields: Partial<Pick<Standing, 'address' | 'cluster' | 'isConnected'>>): void => {
    Object.assign(standing, fields)
    for (const listener of [...listeners]) listener({ accounts: getAccounts() })
  }
  return { getAccounts, features, change }
}

/** Creates the wallet of a test. It asks its script before it signs. */
export const createStandardWallet = (
  chain: TestSolana,
  { script, requests }: { script: SolanaWalletScript; requests: WalletRequest[] },
  { name, ...terms }: StandardWalletTerms,
): TestStandardWallet => {
  const standing: Standing = { ...terms, script, requests }
  const { getAccounts, features, change } = createConnection(standing)
  const wallet = {
    version,
    name,
    icon: pictures.bloom,
    chains: clusters.map(toChain),
    get accounts() {
      return getAccounts()
    },
    features: { ...features, ...createSigning(chain, standing) },
  }
  return {
    wallet,
    account: () => standing.address,
    setAccount: (address) => change({ address }),
    setCluster: (cluster) => change({ cluster }),
    disconnect: () => change({ isConnected: false }),
  }
}
