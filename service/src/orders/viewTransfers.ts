import { type ClaimableRefund, fromBaseUnits, type Transfer } from 'kassa/schema'
import type { OrderState, PaymentState, RefundState } from './order.js'

/** The confirmed payments that are told together: those in the currency of the one that paid, or of the latest. */
const toldPayments = ({ payments }: OrderState): { told: PaymentState[]; main: PaymentState | undefined } => {
  const confirmed = payments.filter(({ use, isLost }) => use !== 'undecided' && !isLost)
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

/** Adds up the refunds of told payments that have one of the statuses; undefined when there are none. */
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

/** What of it has been sent back so far, named by the latest refund: received less refunded is what was kept. */
export const viewRefunded = (order: OrderState): Transfer | undefined => {
  const sent = sumRefunds(order, ['sent'])
  return sent && { ...sent.transfer, ...(sent.latest.txId !== undefined && { txId: sent.latest.txId }) }
}

/** What is owed to the payer and is not on its way: it is worth less than its fee, over a cap, or was refused. */
export const viewRefundHeld = (order: OrderState): Transfer | undefined =>
  sumRefunds(order, ['held', 'failed'])?.transfer

/** What the payer could not receive, and may claim from the contract. */
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
