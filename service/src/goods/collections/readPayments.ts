import { explainChainAddress, nativeCurrencyOf } from 'kassa/engine'
import { type BuyerDetail, type CreateCollectionBody, toBaseUnits } from 'kassa/schema'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { ChainCurrency } from '#base/ports/currency.js'
import { listTaken } from './listTaken.js'

/** What a token costs, and who gets it. */
export type PaymentsInput = NonNullable<CreateCollectionBody['payments']>

/** The same, looked at: a currency that can be converted, an address as its chain spells it. */
export type ReadPayments = {
  price: string
  currency: string
  currencies?: string[]
  recipientAddress?: string
  royaltyBasisPoints: number
  requires: readonly BuyerDetail[]
}

/** The currency that a price on a chain is in where it names none. */
const nativeCurrency = ({ chain, currencies }: ChainPort): string | undefined =>
  nativeCurrencyOf(chain) ?? currencies.find(({ address }) => !address)?.currency

/** For which chain terms of a sale are read, and what is wrong with them, by the name of the field. */
export type TermsReading = { chain: ChainPort; faults: string[] }

/** Every currency of the deployment, those of the chain itself first. */
const listCurrencies = ({ chains }: Pick<Deps, 'chains'>, chain: ChainPort): ChainCurrency[] => [
  ...chain.currencies,
  ...chains.enabled.flatMap((name) => chains.get(name)?.currencies ?? []),
]

/** Whether this deployment is given rates of a currency. What a URL answers is not known before it is asked. */
const hasRates = ({ rates: { table, feeds, url } }: Deps['config'], currency: string): boolean =>
  currency === 'usd' ||
  url !== undefined ||
  Object.hasOwn(table, currency) ||
  feeds.some((feed) => feed.currency === currency)

/** Reads the price of a collection's tokens. */
export const readPayments = (
  deps: Pick<Deps, 'chains' | 'config'>,
  { chain, faults }: TermsReading,
  {
    price,
    currency: given,
    currencies: allowed,
    recipientAddress: address,
    royaltyBasisPoints = 0,
    requires = [],
  }: PaymentsInput,
): ReadPayments => {
  const currency = (given ?? nativeCurrency(chain) ?? '').toLowerCase()
  const known = [
    ...new Set([
      ...listCurrencies(deps, chain).map((one) => one.currency),
      ...Object.keys(deps.config.rates.table),
      ...deps.config.rates.feeds.map((feed) => feed.currency),
      'usd',
    ]),
  ]
  const decimals = listCurrencies(deps, chain).find((one) => one.currency === currency)?.decimals
  if (!known.includes(currency)) {
    const list = known.sort().join(', ')
    faults.push(`payments.currency: ${given ?? currency} is not known on this deployment (known: ${list})`)
  } else if (decimals !== undefined && toBaseUnits(price, decimals) === undefined) {
    faults.push(`payments.price: at most ${decimals} decimals in ${currency}`)
  }
  const taken = deps.chains.enabled.flatMap((name) => {
    const port = deps.chains.get(name)
    return port ? listTaken(deps.config, port).map((one) => one.currency) : []
  })
  const currencies = allowed && [...new Set(allowed.map((one) => one.toLowerCase()))]
  const untaken = currencies?.find((one) => !taken.includes(one))
  if (untaken !== undefined) {
    const list = [...new Set(taken)].sort().join(', ')
    faults.push(`payments.currencies: ${untaken} is not accepted on this deployment (accepted: ${list})`)
  }
  const payable = currencies ?? taken
  const isConvertible = (one: string): boolean =>
    one === currency || (hasRates(deps.config, one) && hasRates(deps.config, currency))
  if (known.includes(currency) && untaken === undefined && !payable.some(isConvertible)) {
    const list = [...new Set(payable)].sort().join(', ')
    faults.push(
      `payments.currency: no order could be paid, as this deployment has no exchange rates from ${currency} to ${list}`,
    )
  }
  const recipientAddress = address === undefined ? undefined : chain.parseAddress(address)
  if (address !== undefined && recipientAddress === undefined) {
    faults.push(`payments.recipientAddress: ${explainChainAddress(address, chain.chain)}`)
  }
  if (royaltyBasisPoints > 0 && address === undefined) {
    faults.push(
      'payments.recipientAddress: required with payments.royaltyBasisPoints, to receive the royalties',
    )
  }
  return {
    price,
    currency,
    ...(currencies && { currencies }),
    ...(recipientAddress !== undefined && { recipientAddress }),
    royaltyBasisPoints,
    requires: [...new Set(requires)].sort(),
  }
}
