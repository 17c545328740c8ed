import type { Address } from '@solana/kit'
import type { Database } from '#base/db/database.js'
import type { Log } from '#base/deps.js'
import type { ChainCurrency } from '#base/ports/currency.js'

/** The programs of compressed tokens. */
export type SolanaPrograms = { bubblegum: Address; compression: Address; noop: Address }

/**
 * How many accounts are opened in an hour: of one project, of which a network has a quarter, and of all. Any caller can
 * make the service open one.
 */
export type OpeningCaps = { perProject: number; perChain: number }

/** What a Solana chain is opened with. */
export type SolanaChainOptions = {
  chain: string
  rpcUrl(): Promise<string>
  /** The URL of a second node, which is asked for balances while the first one fails. */
  fallbackUrl?: string | undefined
  /** 32 bytes: the ed25519 key that pays fees, mints and refunds. */
  operatorKey: Uint8Array
  /** The tokens that are taken, or the test tokens that the service creates. */
  tokens: 'test-tokens' | readonly ChainCurrency[]
  /** Tokens are minted compressed only where the operator names these. */
  programs?: SolanaPrograms | undefined
  /** How many token accounts of orders are opened in an hour. @default no limit */
  openingsPerHour?: OpeningCaps | undefined
  /** When a write or a payment counts as done. */
  commitment: 'confirmed' | 'finalized'
  /** How often the node is asked what became of a transaction. @units milliseconds */
  pollMs: number
  isLocal: boolean
  /** Whether the chain is a test network: any cluster but the main network. */
  isTestnet: boolean
  /** Whether a local node runs by now. */
  isStarted?: (() => boolean) | undefined
  db: Database
  log: Log
  onAway?: (() => void) | undefined
  close(): Promise<void>
}
