import { getRate } from 'kassa/engine'
import type { Deps } from '#base/deps.js'
import { listTaken } from '#goods/collections/listTaken.js'
import { listSuspended } from '#goods/collections/suspendedCurrencies.js'

/** What is currently on sale on a chain, for the operator to read. */
export type OnSale = {
  chain: string
  /** The rate of each currency, in US dollars. */
  onSale: Record<string, string>
  /**
   * Currencies that the deployment accepts and that have no rate. They pay only for prices in the same
   * currency.
   */
  withoutRate: string[]
  /** Currencies that are off sale until the operator resumes them. */
  suspended: string[]
}

/** Lists the currencies that currently pay for orders, by chain. */
export const listOnSale = async ({
  db,
  chains,
  config,
  rates,
}: Pick<Deps, 'db' | 'chains' | 'config' | 'rates'>): Promise<OnSale[]> => {
  const { usd } = await rates.read()
  const allSuspended = await listSuspended(db)
  return chains.enabled.flatMap((name) => {
    const port = chains.get(name)
    if (!port) return []
    const suspended = allSuspended.filter(({ chain }) => chain === name).map(({ currency }) => currency)
    const taken = listTaken(config, port)
      .filter(({ currency }) => !suspended.includes(currency))
      .map(({ currency }) => ({ currency, rate: getRate(usd, currency) }))
    const rated = taken.flatMap(({ currency, rate }) => (rate === undefined ? [] : [[currency, rate]]))
    const withoutRate = taken.filter(({ rate }) => rate === undefined).map(({ currency }) => currency)
    return [{ chain: name, onSale: Object.fromEntries(rated), withoutRate, suspended }]
  })
}
