import { convertUp } from 'kassa/engine'
import { fromBaseUnits } from 'kassa/schema'
import type { RefundRow } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import type { ChainPort } from '../ports/chain.js'

/** Whether refunds in one currency are worth their fee. */
export type FeeCheck = {
  /** Returns why a refund is not worth its fee today, or `undefined` if it is or its value is unknown. */
  explain: (refund: Pick<RefundRow, 'units'>) => string | undefined
  isWorthKnown: boolean
}

/** Creates the check of all refunds in one currency, with the fee that one of them costs. */
export const createFeeCheck = async (
  { config, rates }: Deps,
  { currencies, estimateRefundFee }: ChainPort,
  row: RefundRow,
): Promise<FeeCheck> => {
  const { orderId, currency } = row
  const recipient = row.sentTo ?? row.recipient
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
