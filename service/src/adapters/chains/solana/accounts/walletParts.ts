import type { Rpc, SolanaRpcApi } from '@solana/kit'
import type { ChainCurrency } from '#base/ports/currency.js'
import type { AskFallback } from '../connection/askFallback.js'
import type { Connection } from '../connection/connect.js'

/** What the wallet port needs of its chain. */
export type WalletParts = {
  chain: string
  currencies: readonly ChainCurrency[]
  /** Whether the tokens are the service's own, which it mints without a limit. */
  hasTestTokens: boolean
  use<Result>(work: (opened: Connection) => Promise<Result>): Promise<Result>
  read<Result>(work: (rpc: Rpc<SolanaRpcApi>) => Promise<Result>): Promise<Result>
  askFallback: AskFallback
}
