import * as z from 'zod/mini'
import { fundChains, fundTokens } from './members.js'

/** Test tokens have six decimals, so finer amounts do not exist. */
const isWholeUnits = (amount: number): boolean => /^\d{1,3}(\.\d{1,6})?$/.test(String(amount))

/**
 * A client's request to fund a wallet with test tokens.
 *
 * @units `amount` is a number of whole tokens, 1 to 100, with 6 decimals at most
 * @source interface.md "Fund wallet"
 */
export const FundBody = z.object({
  amount: z
    .number('expected a number from 1 to 100')
    .check(
      z.gte(1, 'expected 1 or more'),
      z.lte(100, 'expected 100 or less'),
      z.refine(isWholeUnits, 'expected 6 decimals at most'),
    ),
  token: z.enum(fundTokens, `expected ${fundTokens.join(' or ')}`),
  chain: z.enum(fundChains, `expected one of ${fundChains.join(', ')}`),
})
export type FundBody = z.infer<typeof FundBody>
