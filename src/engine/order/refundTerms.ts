import type { OrderState, RefundState } from './order.js'

/**
 * Keeps with the refunds that are not sent what the order says before it is quoted again. A change of the order then
 * neither redirects them nor changes their place under the caps.
 */
export const keepRefundTerms = ({ refunds, payment, quote }: OrderState): RefundState[] => {
  const { chain, currency, decimals, payerAddress, refundAddress } = payment
  const terms: RefundState['terms'] = {
    payment: {
      chain,
      currency,
      decimals,
      ...(payerAddress !== undefined && { payerAddress }),
      ...(refundAddress !== undefined && { refundAddress }),
    },
    ...(quote.totalUnits !== undefined && { totalUnits: quote.totalUnits }),
    ...(quote.usdRate !== undefined && { usdRate: quote.usdRate }),
  }
  return refunds.map((refund) => (refund.terms || refund.status === 'sent' ? refund : { ...refund, terms }))
}

/** Returns the order with the payment and the price that it had when a refund began. */
export const atRefund = (order: OrderState, refundId: string): OrderState => {
  const terms = order.refunds.find(({ id }) => id === refundId)?.terms
  if (!terms) return order
  const { totalUnits: _ofLaterQuote, usdRate: _ofLaterDay, ...quote } = order.quote
  const { totalUnits, usdRate } = terms
  const { status } = order.payment
  return {
    ...order,
    payment: { ...terms.payment, status },
    quote: {
      ...quote,
      ...(totalUnits !== undefined && { totalUnits }),
      ...(usdRate !== undefined && { usdRate }),
    },
  }
}
