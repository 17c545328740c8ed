import { fromBaseUnits } from '../../schema/baseUnits.js'
import type { RefundStatus } from '../../schema/orderMembers.js'
import type { Refund } from '../../schema/refund.js'
import type { OrderState, RefundState } from './order.js'

const statuses: Readonly<Record<RefundState['status'], RefundStatus>> = {
  pending: 'pending',
  held: 'held',
  failed: 'failed',
  credited: 'claimable',
  sent: 'succeeded',
}

const note = 'The delivered tokens stay with their holder.'

/**
 * Converts a refund of an order to what the merchant sees.
 *
 * @param row - What the order does not store of it. `recipient` is where it goes, if the caller knows better.
 */
export const viewRefund = (
  { orderId, payments, payment }: OrderState,
  refund: RefundState,
  { createdAtMs, recipient: known }: { createdAtMs?: number; recipient?: string } = {},
): Refund => {
  const { id: refundId, paymentId, units, reason: cause, status, txId, contract, fee, request } = refund
  const paid = payments.find(({ id }) => id === paymentId)
  const { chain, currency, decimals } = paid ?? payment
  const write = (amount: string): string => fromBaseUnits(BigInt(amount), decimals)
  const recipient = known ?? refund.sentTo ?? paid?.payer
  return {
    refundId,
    orderId,
    status: statuses[status],
    cause,
    ...(request?.reason !== undefined && { reason: request.reason }),
    amount: write(units),
    currency,
    chain,
    ...(recipient !== undefined && { recipient }),
    ...(request && {
      lineItems: request.shares.map((share) => ({
        index: share.lineItemIndex,
        amount: write(share.units),
      })),
    }),
    ...(txId !== undefined && { txId }),
    ...(contract !== undefined && { contract }),
    ...(fee !== undefined && { fee: { amount: write(fee), currency } }),
    ...(request && { note }),
    ...(createdAtMs !== undefined && { createdAt: new Date(createdAtMs).toISOString() }),
  }
}
