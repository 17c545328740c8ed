import { BalanceQuery } from 'kassa/engine'
import { BalanceList, FundBody } from 'kassa/schema'
import { fundWallet } from '#holdings/balances/fundWallet.js'
import { getBalances } from '#holdings/balances/getBalances.js'
import { defineRoute, type Route } from './route.js'
import { walletOf } from './walletOf.js'

/** Operations on wallets' balances. */
export const balanceRoutes: readonly Route[] = [
  defineRoute('getBalances', {
    summary: 'Get the balances of a wallet',
    description:
      'Returns balances in base units, read on chain, for each chain and in `total`. `tokens` and `chains` are names separated by commas; spaces around them are ignored. Without them, the answer has all tokens and chains of this deployment. A token that the deployment knows on none of the chains is left out. If a token has different decimals on the chains, all amounts use the finest unit.',
    query: BalanceQuery,
    answer: { status: 200, schema: BalanceList, description: 'The wallet’s balance of each token' },
    refusals: ['input-invalid', 'not-found'],
    run: (deps, call, { params, query }) => getBalances(deps, call, { ...walletOf(params), ...query }),
  }),
  defineRoute('fundWallet', {
    summary: 'Fund a wallet',
    description:
      'Staging only. Sends test tokens to a wallet, and answers when they have arrived. Repeated requests with the same `x-idempotency-key` and body fund it once.',
    body: FundBody,
    answer: { status: 201, schema: BalanceList, description: 'The wallet’s balance of the token' },
    refusals: ['input-invalid', 'not-found', 'conflict', 'body-too-large', 'unprocessable'],
    run: (deps, call, { params, body }) => fundWallet(deps, call, { ...walletOf(params), body }),
  }),
]
