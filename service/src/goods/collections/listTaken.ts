import type { Config } from '#base/config/config.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { ChainCurrency } from '#base/ports/currency.js'

/** The currencies of a chain that this deployment takes in payment. */
export const listTaken = (
  { currencies }: Pick<Config, 'currencies'>,
  chain: ChainPort,
): readonly ChainCurrency[] =>
  chain.currencies.filter(({ currency, address }) =>
    currencies ? currencies.includes(currency) : !address || ['usdc', 'usdxm'].includes(currency),
  )
