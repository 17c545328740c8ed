import { convertUp, type FundsCheck } from 'kassa/engine'
import { fromBaseUnits } from 'kassa/schema'
import type { Deps } from '#base/deps.js'
import type { ChainPort, PreparedPayment } from '#base/ports/chain.js'

type OfferDeps = Pick<Deps, 'config' | 'rates'>

/** A payment that the operator would send. @units base units of each currency */
type Sponsored = {
  currency: string
  units: bigint
  /** What sending it costs, in the native currency. */
  fee: bigint
}

/** Whether the operator sends payments in a currency for payers who sign them. */
export const isSponsored = (
  { config }: Pick<Deps, 'config'>,
  { authorizations, currencies }: Pick<ChainPort, 'authorizations' | 'currencies'>,
  currency: string,
): boolean => {
  const isToken = currencies.some((known) => known.currency === currency && known.address !== undefined)
  return config.gasless !== undefined && authorizations !== undefined && isToken
}

/**
 * Returns why the operator does not pay the network fee of a payment, or `undefined` if it is worth little enough of the
 * payment. One whose worth is unknown is not paid.
 */
export const explainFee = async (
  { config, rates }: OfferDeps,
  { currencies }: Pick<ChainPort, 'currencies'>,
  { currency, units, fee }: Sponsored,
): Promise<string | undefined> => {
  const native = currencies.find(({ address }) => !address)
  const own = currencies.find((known) => known.currency === currency)
  if (!native || !own || !config.gasless) return 'the operator pays no network fees'
  const { usd } = await rates.read()
  const worth = convertUp(fromBaseUnits(fee, native.decimals), native.currency, own, usd)
  if (worth === undefined) return `no rate tells what ${native.currency} is worth in ${currency}`
  const { maxFeeBasisPoints } = config.gasless
  if (worth * 10_000n <= units * BigInt(maxFeeBasisPoints)) return undefined
  const write = (amount: bigint): string => `${fromBaseUnits(amount, own.decimals)} ${currency}`
  return `the network fee is worth ${write(worth)}, more than ${maxFeeBasisPoints / 100} % of ${write(units)}`
}

/** Returns what a payer can pay with, and who pays the network fee where the operator may. */
export const offerAuthorization = async (
  deps: OfferDeps,
  chain: ChainPort,
  { currency, units, prepared }: Omit<Sponsored, 'fee'> & { prepared: PreparedPayment },
): Promise<FundsCheck> => {
  const { sponsored, ...funds } = prepared
  if (!isSponsored(deps, chain, currency)) return funds
  const excess = sponsored && (await explainFee(deps, chain, { currency, units, fee: sponsored.fee }))
  if (!sponsored || excess !== undefined) return { ...funds, gas: 'payer' }
  return { ...funds, gas: 'shop', authorization: sponsored.authorization }
}
