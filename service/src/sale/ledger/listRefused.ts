import type { SweepCredit } from 'kassa/engine'
import { listProceeds } from 'kassa/engine'
import type { Books } from './sumLedger.js'

/** A refund that is held, refused or not claimed yet, or a sweep that the chain or its recipient refused. @units base units of `currency` */
export type RefusedPayOut = {
  /** The key of the chain write; `kassa-service refunds send` takes a refund's, `kassa-service proceeds send` a sweep's. */
  id: string
  chain: string
  currency: string
  decimals: number
  units: bigint
  reason: string
  /** Whether the service tries it again without a command. */
  isRetried: boolean
}

type RefundRow = Books['refunds'][number] & {
  status: 'pending' | 'held' | 'failed' | 'credited' | 'sent'
  /** Why it was not sent, or was not received. */
  failure: string | null
}

const explainCredit = (credit: SweepCredit | undefined): string | undefined => {
  if (!credit) return undefined
  const { contract, sentTo, reason } = credit
  if (sentTo !== undefined) return `is on its way to ${sentTo}`
  return reason ?? `waits in ${contract} for its recipient to claim it`
}

/** Lists the payouts whose last attempt failed. */
export const listRefused = (
  { orders, refunds }: { orders: Books['orders']; refunds: readonly RefundRow[] },
  chains: Books['chains'],
): RefusedPayOut[] => {
  const decimalsOf = (chain: string, currency: string): number => {
    const currencies = chains.find((known) => known.chain === chain)?.currencies
    return currencies?.find((known) => known.currency === currency)?.decimals ?? 0
  }
  const returns = refunds.flatMap(({ id, chain, currency, units, status, failure }) => {
    if (failure === null || status === 'sent') return []
    return [{ id, chain, currency, units: BigInt(units), reason: failure, isRetried: status !== 'failed' }]
  })
  const sweeps = orders.flatMap((order) => {
    return listProceeds(order).flatMap(({ key, chain, currency, units }) => {
      const reason = explainCredit(order.sweepCredits?.[key]) ?? order.sweepRefusals?.[key]?.reason
      return reason === undefined ? [] : [{ id: key, chain, currency, units, reason, isRetried: true }]
    })
  })
  return [...returns, ...sweeps].map((one) => ({ ...one, decimals: decimalsOf(one.chain, one.currency) }))
}
