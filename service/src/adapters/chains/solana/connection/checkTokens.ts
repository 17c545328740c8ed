import { type Address, fetchEncodedAccount, type Rpc, type SolanaRpcApi } from '@solana/kit'
import { decodeMint } from '@solana-program/token-2022'
import { ConfigError } from '#base/config/settings.js'
import type { ChainCurrency } from '#base/ports/currency.js'
import type { SolanaChainOptions, SolanaPrograms } from '../solanaChainOptions.js'
import { TOKEN_PROGRAM_ADDRESS } from './derivedAddresses.js'

const checkPrograms = async (rpc: Rpc<SolanaRpcApi>, programs: SolanaPrograms): Promise<void> => {
  for (const [name, program] of Object.entries(programs)) {
    const account = await fetchEncodedAccount(rpc, program)
    if (account.exists && account.executable) continue
    throw new ConfigError(`KASSA_SOLANA_PROGRAMS: there is no program at ${program}, the address of ${name}`)
  }
}

const checkToken = async (
  rpc: Rpc<SolanaRpcApi>,
  chain: string,
  { currency, address, decimals }: ChainCurrency,
): Promise<void> => {
  const variable = `KASSA_TOKENS_${chain.toUpperCase()}`
  const account = await fetchEncodedAccount(rpc, address as Address)
  if (!account.exists) throw new ConfigError(`${variable}: there is no token at the address of ${currency}`)
  if (account.programAddress !== TOKEN_PROGRAM_ADDRESS) {
    throw new ConfigError(
      `${variable}: ${currency} does not belong to the Token program, whose tokens alone are accepted`,
    )
  }
  const { data } = decodeMint(account)
  if (data.decimals === decimals) return
  throw new ConfigError(`${variable}: ${currency} has ${data.decimals} decimals, not ${decimals}`)
}

/**
 * Compares the configured tokens and programs with what the chain has at their addresses.
 *
 * @throws {ConfigError} naming what differs.
 */
export const checkTokens = async (
  rpc: Rpc<SolanaRpcApi>,
  { chain, tokens, programs }: Pick<SolanaChainOptions, 'chain' | 'tokens' | 'programs'>,
): Promise<void> => {
  for (const token of tokens === 'test-tokens' ? [] : tokens) await checkToken(rpc, chain, token)
  if (programs) await checkPrograms(rpc, programs)
}
