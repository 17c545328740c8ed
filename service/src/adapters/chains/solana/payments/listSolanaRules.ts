import type { ChainConfig } from '#base/config/config.js'
import { accountAddress } from '../connection/accountAddress.js'
import { deriveTestToken } from '../connection/derivedAddresses.js'
import { testTokens } from '../createTestTokens.js'

/** What an app needs to verify payments on Solana independently of the service. */
export type SolanaRules = {
  operator: string
  /** By currency. */
  tokens: Record<string, { address: string; decimals: number }>
}

/** Lists where a deployment is paid on Solana, from its configuration alone, without asking a node. */
export const listSolanaRules = (
  { rpcUrl, tokens }: Pick<ChainConfig, 'rpcUrl' | 'tokens'>,
  operatorKey: Uint8Array,
): SolanaRules => {
  const operator = accountAddress(operatorKey)
  const known =
    rpcUrl === undefined
      ? testTokens.map((token) => ({ ...token, address: deriveTestToken(operator, token.currency).address }))
      : tokens
  return {
    operator,
    tokens: Object.fromEntries(
      known.map(({ currency, address, decimals }) => [currency, { address, decimals }]),
    ),
  }
}
