import { parseAddress } from '../../engine/solana/parseAddress.js'
import { payError } from '../../errors/payError.js'
import { toLine } from '../line.js'

/** A token of Solana: the address of its mint. */
export type SolanaToken = { address: string; decimals: number }

/** What an app knows about payments on Solana independently of the service, so that it need not trust it. */
export type SolanaRules = {
  /** Tokens beside USDC, by currency in lower case. An entry replaces the package's own. */
  tokens?: Readonly<Record<string, SolanaToken>> | undefined
  /**
   * The address of the service's operator, from which every order's account follows. Without it the service
   * decides where payments go, and so does an attacker who takes the service over.
   */
  operator?: string | undefined
}

/** Circle's own USDC. @source developers.circle.com/stablecoins/usdc-contract-addresses */
const usdc: SolanaToken = { address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6 }

/** One SOL is 10 to this power in lamports. */
export const solDecimals = 9
/**
 * Finds the token of a currency.
 *
 * @returns Undefined for SOL.
 * @throws {@link KassaError} `pay.token-unknown`.
 */
export const findSolanaToken = ({ tokens }: SolanaRules, currency: string): SolanaToken | undefined => {
  if (currency === 'sol') return undefined
  const own = tokens && Object.hasOwn(tokens, currency) ? tokens[currency] : undefined
  const token = own ?? (currency === 'usdc' ? usdc : undefined)
  if (token && parseAddress(token.address)) return token
  throw payError('pay.token-unknown', { chain: 'solana', currency: toLine(currency, 20) })
}
