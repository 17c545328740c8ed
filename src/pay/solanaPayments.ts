import type { PaymentFamily } from './family.js'

/** A wallet of Wallet Standard that can pay on the app's cluster. */
export type SolanaWallet = {
  name: string
  /** A picture as a data URL. */
  icon: string
}

/** The connection to a buyer's wallet. */
export type SolanaWalletState = {
  status: 'disconnected' | 'connecting' | 'reconnecting' | 'connected'
  /** The wallets found in this browser. */
  wallets: readonly SolanaWallet[]
  /** The connected wallet. */
  wallet: SolanaWallet | undefined
  /** The connected account. */
  address: string | undefined
}

/** The wallets of a browser. */
export type SolanaWallets = {
  getState(): SolanaWalletState
  subscribe(listener: () => void): () => void
  /**
   * Asks a wallet to connect.
   *
   * @returns The account's address.
   */
  connect(wallet: SolanaWallet): Promise<string>
  disconnect(): Promise<void>
}

/** How an app pays on Solana, created by `solana` of `kassa/solana`. */
export type SolanaPayments = {
  wallets: SolanaWallets
  /** Whether payments move test funds. */
  isTestnet: boolean
  /** The currencies to pay with, in lower case. */
  currencies: readonly string[]
  /** Returns the address of a transaction in the block explorer; undefined without one. */
  getTransactionUrl(txId: string): string | undefined
  /**
   * Reads an account's balance of a currency.
   *
   * @units base units, and how many decimals one whole unit has.
   */
  getBalance(address: string, currency: string): Promise<{ units: bigint; decimals: number }>
  /** Loads what pays. */
  openFamily(): Promise<PaymentFamily>
}
