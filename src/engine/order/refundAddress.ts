import { invalid } from '../invalidInput.js'
import type { OrderEvent } from './event.js'
import type { OrderState, RefundState } from './order.js'

const field = 'payment.refundAddress'

/** Whether a refund is held until an address is named, because a contract paid. */
export const waitsForAddress = ({ status, heldAs }: RefundState): boolean =>
  status === 'held' && heldAs === 'contract-payer'

/** Returns the address that an order names for its refunds, or else the one that was named for its last held refund. */
export const findRefundAddress = ({ payment, refunds }: OrderState): string | undefined =>
  payment.refundAddress ?? refunds.findLast(({ sentTo }) => sentTo !== undefined)?.sentTo

/** Returns the chain of a refund, which is that of its payment. */
const chainOfRefund = ({ payment, payments }: OrderState, { paymentId }: RefundState): string =>
  (payments.find(({ id }) => id === paymentId) ?? payment).chain

/** An address to which refunds are to go, and who names it. */
type NamedAddress = {
  /** Whether the merchant names it. A client secret leaks more easily. */
  isMerchant: boolean
  /** Returns the address in the canonical form of a chain, or `undefined` if it is not one there. */
  read: (chain: string) => string | undefined
  /** Explains why it is not an address on a chain. */
  explain: (chain: string) => string
}

/**
 * Decides what naming an address for refunds changes.
 *
 * | who | when | names it for |
 * |---|---|---|
 * | buyer, merchant | before a payment was seen | the order |
 * | buyer | a refund is held because a contract paid | those refunds |
 * | merchant | later | the order and the refunds that wait for an address or go to another one, unless they are on their way |
 *
 * Later, an address that the buyer names does not count for other refunds: a thief with the client secret could pay a
 * cent from a contract, and redirect the refund of the price.
 *
 * @returns The events, or why the address cannot be named now.
 * @throws {@link InvalidInput} naming the field, if no refund can go to the address.
 */
export const planRefundAddress = (
  order: OrderState,
  { isMerchant, read, explain }: NamedAddress,
): OrderEvent[] | { refusal: string } => {
  const isForOrder = isMerchant || order.payments.length === 0
  const isOpen = (refund: RefundState): boolean =>
    waitsForAddress(refund) || (isMerchant && refund.status === 'held' && refund.sentTo !== undefined)
  const waiting = order.refunds.filter(isOpen)
  if (!isForOrder && !waiting.length) {
    const known = read(order.payment.chain)
    if (known !== undefined && findRefundAddress(order) === known) return []
    return {
      refusal: 'The refund address can no longer be changed: a payment was seen, and no refund waits for one',
    }
  }
  const named = isForOrder ? read(order.payment.chain) : undefined
  const retried = waiting.flatMap((refund): OrderEvent[] => {
    const to = read(chainOfRefund(order, refund))
    return to === undefined ? [] : [{ type: 'refund-retried', refundId: refund.id, to }]
  })
  if (named === undefined && !retried.length) {
    const [refund] = waiting
    const chain = refund ? chainOfRefund(order, refund) : order.payment.chain
    throw invalid(field, explain(chain))
  }
  return [
    ...(named === undefined ? [] : [{ type: 'refund-address-named' as const, address: named }]),
    ...retried,
  ]
}
