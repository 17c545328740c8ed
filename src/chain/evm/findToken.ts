import { knownTokens } from './knownTokens.js'
import type { PaymentRules, Token } from './rules.js'
import { findTokenIn } from './tokens.js'

/**
 * Finds the token of a currency on a chain: the app's own entry, or else the package's.
 *
 * @param chain - The chain by the interface's name.
 * @returns The token; undefined if it is unknown, if the app's entry is invalid, and for a chain's native
 * currency.
 */
export const findToken = (rules: PaymentRules, chain: string, currency: string): Token | undefined =>
  findTokenIn([rules.tokens, knownTokens], chain, currency)
