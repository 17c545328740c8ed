import { getAmountDue } from '../order/payment.js'
import { getKnownOrder } from '../query/knownOrder.js'
import { findWire } from '../query/wire.js'
import type { PaymentParameters } from './payContext.js'

/** Records that the buyer agrees to the order's current price. */
export const agreeToPrice = (parameters: PaymentParameters): void => {
  const { queryClient, client, orderId } = parameters
  const wire = findWire(queryClient, client, orderId)
  const order = getKnownOrder(parameters)
  if (wire) wire.agreed = order && getAmountDue(order)
}
