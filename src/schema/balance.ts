import * as z from 'zod/mini'
import type { BalanceToken } from './balanceTokens.js'
import { known, openObject } from './open.js'

/**
 * A wallet's balance of one token.
 *
 * @units base units of the token, as decimal integers; `decimals` says how many of them make a whole one
 * @source interface.md "Balance entry"
 */
export const Balance = openObject({
  token: known<BalanceToken>(),
  decimals: z.number(),
  /** By chain, and the `total` of all chains. */
  balances: z.record(z.string(), z.string()),
})
export type Balance = z.infer<typeof Balance>

/** A wallet's balances of the requested tokens. */
export const BalanceList = z.array(Balance)
export type BalanceList = z.infer<typeof BalanceList>
