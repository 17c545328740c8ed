import { BalanceList, FundBody } from 'kassa/schema'
import * as z from 'zod/mini'
import { fundWallet } from '../balances/fundWallet.js'
import { getBalances } from '../balances/getBalances.js'
import { defineRoute, type Route } from './route.js'
import { walletOf } from './walletOf.js'

const names = (example: string) =>
  z.optional(
    z
      .string()
      .check(
        z.minLength(1, `expected names separated by commas, such as ${example}`),
        z.maxLength(2000, 'expected 2000 characters or fewer'),
      ),
  )

/** The query of the requested balances. */
export const BalanceQuery = z.object({
  tokens: names('eth,usdc'),
  chains: names('base-sepolia'),
})

/** Operations on wallets' balances. */
export const balanceRoutes: readonly Route[] = [
  defineRoute('getBalances', {
    summary: 'Get the balances of a wallet',
    description:
      'Read on chain, in base units, by chain and in `total`. `tokens` and `chains` are names separated by commas, around which spaces do not count; without them, all that this deployment knows. A token that it knows on none of the chains is left out. Where a token has more decimals on one chain than on another, all amounts are in the finest of these units.',
    query: BalanceQuery,
    answer: { status: 200, schema: BalanceList, description: 'What the wallet holds of each token' },
    refusals: ['input-invalid', 'not-found'],
    run: (deps, call, { params, query }) => getBalances(deps, call, { ...walletOf(params), ...query }),
  }),
  defineRoute('fundWallet', {
    summary: 'Fund a wallet',
    description:
      'Staging only: gives a wallet test tokens and answers once they are there. Under one `x-idempotency-key` and body it is funded once.',
    body: FundBody,
    answer: { status: 201, schema: BalanceList, description: 'What the wallet holds of the token' },
    refusals: ['input-invalid', 'not-found', 'conflict', 'body-too-large', 'unprocessable'],
    run: (deps, call, { params, body }) => fundWallet(deps, call, { ...walletOf(params), body }),
  }),
]
