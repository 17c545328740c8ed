import type { Amount } from '../schema/index.js'
import { getKnownOrder } from './knownOrder.js'
import type { PaymentParameters } from './payContext.js'
import { findWire } from './wire.js'

/** What a buyer saw of an order when they pressed the button: nothing else is paid without asking them. */
export type SeenOrder = {
  total: Amount | undefined
  /** The chain it was to be paid on. */
  method: string | undefined
}

/** Reads what a buyer sees now: the price the press named, else the one they agreed to, else the one shown last. */
export const getSeenOrder = (parameters: PaymentParameters, total?: Amount): SeenOrder => {
  const { queryClient, client, orderId } = parameters
  const known = getKnownOrder(parameters)
  return {
    total: total ?? findWire(queryClient, client, orderId)?.agreed ?? known?.quote.totalPrice,
    method: known?.payment.method,
  }
}
