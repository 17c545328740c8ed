import { getAmountDue } from '../order/payment.js'
import { getKnownOrder } from '../query/knownOrder.js'
import { findWire } from '../query/wire.js'
import type { Amount } from '../schema/index.js'
import type { PaymentParameters } from './payContext.js'

/** The order as the buyer saw it when pressing the button. Paying anything else needs their consent. */
export type SeenOrder = {
  total: Amount | undefined
  /** The chain to pay on. */
  method: string | undefined
}

/**
 * Returns the price the buyer sees now: the one the press named, else the one they agreed to, else the one
 * shown last.
 */
export const getSeenOrder = (parameters: PaymentParameters, total?: Amount): SeenOrder => {
  const { queryClient, client, orderId } = parameters
  const known = getKnownOrder(parameters)
  return {
    total: total ?? findWire(queryClient, client, orderId)?.agreed ?? (known && getAmountDue(known)),
    method: known?.payment.method,
  }
}
