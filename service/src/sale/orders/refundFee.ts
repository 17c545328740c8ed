import { convertUp } from 'kassa/engine'
import { fromBaseUnits } from 'kassa/schema'
import type { RefundRow } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { ChainPort, RefundInput } from '#base/ports/chain.js'

/** Whether refunds in one currency are worth their fee. */
export type FeeCheck = {
  /** Returns why a refund is not worth its fee today, or `undefined` if it is or its value is unknown. */
  explain: (refund: Pick<RefundRow, 'units'>) => string | undefined
  isWorthKnown: boolean
}

/**
 * Returns what is taken off a refund for the account that has to be opened for its recipient: 0 if there is one.
 *
 * @units base units of the refund's currency
 * @throws {@link ServiceError} `rates-unavailable` if no rate tells what the account costs in that currency.
 */
export const findOpeningFee = async (
  { config, rates }: Pick<Deps, 'config' | 'rates'>,
  chain: ChainPort,
  input: RefundInput,
): Promise<bigint> => {
  const rent = (await chain.estimateRefundRent?.(input)) ?? 0n
  const native = chain.currencies.find(({ address }) => !address)
  const own = chain.currencies.find(({ currency }) => currency === input.currency)
  if (rent === 0n || !native || !own) return 0n
  const { usd } = await rates.read()
  const minimum = config.refunds.minimums[own.currency]
  const fee =
    convertUp(fromBaseUnits(rent, native.decimals), native.currency, own, usd) ??
    (minimum === undefined ? undefined : convertUp(minimum, own.currency, own, usd))
  if (fee !== undefined) return fee
  const message = `no rate tells what an account for ${own.currency} on ${chain.chain} costs`
  throw new ServiceError('rates-unavailable', message)
}

/**
 * Creates the check of refunds in one currency, with the fee that one of them costs today.
 *
 * @param refund.recipient - Where it goes. A contract may take more gas than an account.
 */
export const createFeeCheck = async (
  { config, rates }: Deps,
  { currencies, estimateRefundFee }: ChainPort,
  { recipient, ...row }: Pick<RefundRow, 'orderId' | 'currency' | 'recipient' | 'source' | 'units'>,
): Promise<FeeCheck> => {
  const { orderId, currency } = row
  const isFromTreasury = row.source === 'treasury'
  const units = BigInt(row.units)
  const feeWei = await estimateRefundFee({ orderId, currency, units, recipient, isFromTreasury })
  const native = currencies.find(({ address }) => !address)
  const own = currencies.find((known) => known.currency === currency)
  if (!native || !own) return { explain: () => undefined, isWorthKnown: false }
  const fee = fromBaseUnits(feeWei, native.decimals)
  const { usd } = await rates.read()
  const minimum = config.refunds.minimums[currency]
  const inRate = convertUp(fee, native.currency, own, usd)
  const least = inRate ?? (minimum === undefined ? undefined : convertUp(minimum, currency, own, usd))
  const toDecimal = (amount: bigint): string => fromBaseUnits(amount, own.decimals)
  return {
    explain: ({ units }) => {
      if (least === undefined || BigInt(units) >= least) return undefined
      return `${toDecimal(BigInt(units))} ${currency} is worth less than its fee of ${toDecimal(least)} ${currency}`
    },
    isWorthKnown: least !== undefined,
  }
}
