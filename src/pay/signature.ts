import type { PaymentAttempt } from '../chain/index.js'
import { isSponsored } from '../order/payment.js'
import { findWire } from '../query/wire.js'
import type { Order } from '../schema/index.js'
import type { OrderAccess } from './payContext.js'

/**
 * Whether an order is paid by a signature, and the shop sends the payment: it offers that, and neither the wallet nor the
 * service has refused one on this page. If it can be paid in no other way, it is tried again.
 */
export const isPaidBySignature = ({ queryClient, client, orderId }: OrderAccess, order: Order): boolean =>
  isSponsored(order) &&
  !(
    findWire(queryClient, client, orderId)?.isSignatureRefused &&
    order.payment.preparation?.serializedTransaction
  )

/** Remembers that an order cannot be paid by a signature on this page. */
export const refuseSignature = ({ queryClient, client, orderId }: OrderAccess): void => {
  const wire = findWire(queryClient, client, orderId)
  if (wire) wire.isSignatureRefused = true
}

/** Returns the transaction of an attempt; undefined while the shop has not sent what was signed. */
export const getTxId = ({ txId, authorization }: PaymentAttempt): string | undefined =>
  txId === authorization?.id ? undefined : txId
