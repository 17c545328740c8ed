import { getKnownOrder } from './knownOrder.js'
import type { PaymentParameters } from './payContext.js'
import { findWire } from './wire.js'

/** Records that the buyer agrees to the order's current price. */
export const agreeToPrice = (parameters: PaymentParameters): void => {
  const { queryClient, client, orderId } = parameters
  const wire = findWire(queryClient, client, orderId)
  if (wire) wire.agreed = getKnownOrder(parameters)?.quote.totalPrice
}
