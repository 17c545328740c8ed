import { fromBaseUnits, type Transfer } from 'kassa/schema'
import type { OrderState, PaymentState } from './order.js'

/** The confirmed payments that are told together: those in the currency of the one that paid, or of the latest. */
const toldPayments = ({ payments }: OrderState): { told: PaymentState[]; main: PaymentState | undefined } => {
  const confirmed = payments.filter(({ use }) => use !== 'undecided')
  const main = confirmed.find(({ use }) => use === 'accepted') ?? confirmed.at(-1)
  const told = confirmed.filter(({ chain, currency }) => chain === main?.chain && currency === main.currency)
  return { told, main }
}

const sum = (moved: readonly { units: string }[]): bigint =>
  moved.reduce((total, { units }) => total + BigInt(units), 0n)

/** What arrived for an order so far, named by the transaction that paid for it or else the latest. */
export const viewReceived = (order: OrderState): Transfer | undefined => {
  const { told, main } = toldPayments(order)
  if (!main) return undefined
  const { chain, currency, decimals, txId } = main
  return { amount: fromBaseUnits(sum(told), decimals), currency, chain, txId }
}

/** What of it has been sent back so far, named by the latest refund: received less refunded is what was kept. */
export const viewRefunded = (order: OrderState): Transfer | undefined => {
  const { told, main } = toldPayments(order)
  const sent = order.refunds.filter(
    ({ status, paymentId }) => status === 'sent' && told.some(({ id }) => id === paymentId),
  )
  const txId = sent.at(-1)?.txId
  if (!main || txId === undefined) return undefined
  const { chain, currency, decimals } = main
  return { amount: fromBaseUnits(sum(sent), decimals), currency, chain, txId }
}
