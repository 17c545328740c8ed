/**
 * Whether an order takes a change and a new quote: it is unpaid, and every payment that was seen goes back. A payment
 * that is not decided about, or a part of the price that waits for the rest, may still pay for the present quote. The
 * service refuses by this rule, and a shop offers by it.
 *
 * @param payments - Every payment that was seen, each with what it is to the order.
 */
export const takesChanges = (phase: string, payments: readonly { use: string }[]): boolean =>
  (phase === 'quote' || phase === 'payment') && payments.every(({ use }) => use === 'returned')
