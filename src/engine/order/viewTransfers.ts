import { fromBaseUnits } from '../../schema/baseUnits.js'
import type { ClaimableRefund, Transfer } from '../../schema/payment.js'
import type { OrderState, PaymentState, RefundState } from './order.js'

/**
 * Returns the confirmed payments that are shown together: those in the currency of the accepted one, or of
 * the latest.
 */
const toldPayments = ({ payments }: OrderState): { told: PaymentState[]; main: PaymentState | undefined } => {
  const confirmed = payments.filter(({ use, isLost }) => use !== 'undecided' && !isLost)
  const main = confirmed.find(({ use }) => use === 'accepted') ?? confirmed.at(-1)
  const told = confirmed.filter(({ chain, currency }) => chain === main?.chain && currency === main.currency)
  return { told, main }
}

const sum = (moved: readonly { units: string }[]): bigint =>
  moved.reduce((total, { units }) => total + BigInt(units), 0n)

/**
 * Returns the amount received for an order so far, with the transaction that paid for it, or else the latest.
 */
export const viewReceived = (order: OrderState): Transfer | undefined => {
  const { told, main } = toldPayments(order)
  if (!main) return undefined
  const { chain, currency, decimals, txId } = main
  return { amount: fromBaseUnits(sum(told), decimals), currency, chain, txId }
}

/**
 * Adds up the refunds of shown payments that have one of the statuses. Returns `undefined` if there are none.
 */
const sumRefunds = (order: OrderState, statuses: readonly RefundState['status'][]) => {
  const { told, main } = toldPayments(order)
  const found = order.refunds.filter(
    ({ status, paymentId }) => statuses.includes(status) && told.some(({ id }) => id === paymentId),
  )
  const latest = found.at(-1)
  if (!main || !latest) return undefined
  const { chain, currency, decimals } = main
  return { latest, transfer: { amount: fromBaseUnits(sum(found), decimals), currency, chain } }
}

/**
 * Returns the amount refunded so far, with the latest refund's transaction. The amount received less this one
 * is what was kept.
 */
export const viewRefunded = (order: OrderState): Transfer | undefined => {
  const sent = sumRefunds(order, ['sent'])
  return sent && { ...sent.transfer, ...(sent.latest.txId !== undefined && { txId: sent.latest.txId }) }
}

/**
 * Returns the amount owed to the payer and not pending: it is worth less than its fee, over a cap, or was
 * refused.
 */
export const viewRefundHeld = (order: OrderState): Transfer | undefined =>
  sumRefunds(order, ['held', 'failed'])?.transfer

/** Returns the amount that the payer could not receive, and may claim from the contract. */
export const viewRefundClaimable = (order: OrderState): ClaimableRefund | undefined => {
  const credited = sumRefunds(order, ['credited'])
  if (!credited) return undefined
  const { txId, contract } = credited.latest
  return {
    ...credited.transfer,
    ...(txId !== undefined && { txId }),
    ...(contract !== undefined && { contract }),
  }
}
