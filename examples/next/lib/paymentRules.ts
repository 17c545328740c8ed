import type { PaymentContracts, PaymentRules, Token } from 'kassa'
import type { SolanaToken } from 'kassa/chain'
import { type Address, isAddress } from 'viem'
import { isRecord, readNumber } from './read'
import { isSolanaAddress } from './solana/base58'

const readAddress = (value: unknown): Address | undefined =>
  typeof value === 'string' && isAddress(value, { strict: false }) ? value : undefined

type TokenAt<Address extends string> = { address: Address; decimals: number }

const readTokensAt = <Address extends string>(
  value: unknown,
  read: (address: unknown) => Address | undefined,
): Record<string, TokenAt<Address>> => {
  const tokens: Record<string, TokenAt<Address>> = {}
  for (const [currency, token] of Object.entries(isRecord(value) ? value : {})) {
    const address = isRecord(token) ? read(token.address) : undefined
    const decimals = isRecord(token) ? readNumber(token.decimals) : undefined
    if (address && decimals !== undefined) tokens[currency.toLowerCase()] = { address, decimals }
  }
  return tokens
}

/** Reads an EVM chain's tokens by currency: `{ usdc: { address, decimals } }`. Skips invalid entries. */
export const readTokens = (value: unknown): Record<string, Token> => readTokensAt(value, readAddress)

/** Reads Solana's tokens by currency, as {@link readTokens} does. */
export const readSolanaTokens = (value: unknown): Record<string, SolanaToken> =>
  readTokensAt(value, (address) =>
    typeof address === 'string' && isSolanaAddress(address) ? address : undefined,
  )

/** Reads the contracts through which a service takes payments: `{ router, depositFactory }`. */
export const readContracts = (value: unknown): PaymentContracts | undefined => {
  if (!isRecord(value)) return undefined
  const [router, depositFactory] = [readAddress(value.router), readAddress(value.depositFactory)]
  return router && depositFactory ? { router, depositFactory } : undefined
}

/**
 * Reads the output of `kassa-service contracts`: `{ contracts, tokens }`.
 *
 * @throws Error when the text does not say where payments must go.
 */
export const parsePaymentRules = (text: string): PaymentRules => {
  const value: unknown = JSON.parse(text)
  const contracts = readContracts(isRecord(value) ? value.contracts : undefined)
  if (!isRecord(value) || !contracts) {
    throw new Error('KASSA_CONTRACTS: expected what `kassa-service contracts` prints')
  }
  const chains = Object.entries(isRecord(value.tokens) ? value.tokens : {})
  const tokens = Object.fromEntries(chains.map(([chain, known]) => [chain, readTokens(known)]))
  return { contracts, tokens }
}
