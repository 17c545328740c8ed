import { type ListedContracts, listContracts } from '#adapters/chains/evm/payments/listContracts.js'
import { listSolanaRules, type SolanaRules } from '#adapters/chains/solana/payments/listSolanaRules.js'
import type { Config } from '#base/config/config.js'

/** Lists where a deployment takes payments, and in which tokens, from its configuration alone. */
export const listPayRules = ({
  solanaOperatorKey,
  ...config
}: Pick<Config, 'operatorKey' | 'solanaOperatorKey' | 'chains' | 'currencies'>): ListedContracts & {
  solana?: SolanaRules
} => {
  const solana = solanaOperatorKey && config.chains.solana
  return {
    ...listContracts(config),
    ...(solana && { solana: listSolanaRules(solana, solanaOperatorKey) }),
  }
}
