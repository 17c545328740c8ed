import { getKnownOrder } from './knownOrder.js'
import type { PaymentParameters } from './payContext.js'
import { findWire } from './wire.js'

/** The buyer agrees to the price the order has now. */
export const agreeToPrice = (parameters: PaymentParameters): void => {
  const { queryClient, client, orderId } = parameters
  const wire = findWire(queryClient, client, orderId)
  if (wire) wire.agreed = getKnownOrder(parameters)?.quote.totalPrice
}
