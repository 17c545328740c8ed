import type { OrderState, QuotedTerms } from './order.js'

/** Returns an order without events: the state that the first `quoted` event acts on. */
export const newOrder = (
  orderId: string,
  projectId: string,
  { locale, payment }: Pick<QuotedTerms, 'locale' | 'payment'>,
): OrderState => ({
  orderId,
  projectId,
  locale,
  phase: 'quote',
  lineItems: [],
  quote: { status: 'requires-recipient' },
  payment: { ...payment, status: 'requires-quote' },
  payments: [],
  refunds: [],
  hints: [],
  isSwept: false,
})
