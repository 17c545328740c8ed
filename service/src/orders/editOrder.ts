import { readRecipient } from 'kassa/engine'
import type { EditOrderBody, Order } from 'kassa/schema'
import type { Call } from '../call.js'
import type { Deps } from '../deps.js'
import { readPaymentTerms } from './readPaymentTerms.js'
import { requoteOrder } from './requoteOrder.js'

/**
 * Changes the recipient, the payment or the language of an unpaid order, and quotes it again.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `conflict`, `input-invalid`, `chain-unavailable`.
 * @source answers.md "Create order, edit order"
 */
export const editOrder = async (
  deps: Deps,
  call: Call,
  { orderId, body }: { orderId: string; body: EditOrderBody },
): Promise<Order> =>
  requoteOrder(deps, call, orderId, () => ({
    ...(body.locale && { locale: body.locale }),
    ...(body.recipient && { recipient: readRecipient(body.recipient) }),
    ...(body.payment && { payment: readPaymentTerms(deps, body.payment) }),
  }))
