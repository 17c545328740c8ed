import type { PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ChainCurrency } from '../../port.js'
import type { getDeployments } from '../addresses.js'
import type { Connection } from '../connect.js'
import type { EvmChainOptions } from '../evmChainOptions.js'

/** What the wallets of an EVM chain are made of. */
export type WalletParts = {
  options: EvmChainOptions
  /** The operator, who bundles and pays. */
  account: PrivateKeyAccount
  deployments: ReturnType<typeof getDeployments>
  currencies: readonly ChainCurrency[]
  /** Works with a node that answers, our contracts in place. */
  use<Result>(work: (opened: Connection) => Promise<Result>): Promise<Result>
  read<Result>(work: (client: PublicClient) => Promise<Result>): Promise<Result>
}
