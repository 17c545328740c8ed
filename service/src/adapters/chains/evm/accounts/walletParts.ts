import type { PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ChainCurrency } from '#base/ports/currency.js'
import type { getDeployments } from '../connection/addresses.js'
import type { AskFallback } from '../connection/askFallback.js'
import type { Connection } from '../connection/connect.js'
import type { EvmChainOptions } from '../evmChainOptions.js'

/** What the wallets of an EVM chain need. */
export type WalletParts = {
  options: EvmChainOptions
  /** The operator, which bundles and pays. */
  account: PrivateKeyAccount
  deployments: ReturnType<typeof getDeployments>
  currencies: readonly ChainCurrency[]
  /** Runs work with a node that answers and has the service's contracts deployed. */
  use<Result>(work: (opened: Connection) => Promise<Result>): Promise<Result>
  askFallback: AskFallback
  read<Result>(work: (client: PublicClient) => Promise<Result>): Promise<Result>
}
