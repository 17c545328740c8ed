import type { CreateShipmentBody } from '../../schema/shipment.js'
import { invalid } from '../invalidInput.js'
import { isPaymentLost } from './accepted.js'
import { isUncaptured } from './applyCapture.js'
import { canShip, findShipment, isSold, maxShipments } from './applyShipment.js'
import type { OrderState } from './order.js'

/** The positions of the line items to ship, or why they cannot be shipped. */
export type ShipmentPlan = number[] | { refusal: string }

const explainOrder = (order: OrderState): string | undefined => {
  if (isUncaptured(order)) return 'The payment of this order is not captured: capture it before you ship'
  if (!isSold(order)) {
    return isPaymentLost(order)
      ? 'The blockchain has taken the payment of this order back'
      : 'The order is not paid'
  }
  if (!order.recipient?.physicalAddress) return 'The order has no shipping address'
  if ((order.shipments?.length ?? 0) < maxShipments) return undefined
  return `The order has ${maxShipments} shipments, cancelled ones included: it can have no more`
}

/** Says why a named line item cannot be shipped. */
const explainItem = (order: OrderState, index: number, field: string): string | undefined => {
  const item = order.lineItems[index]
  if (!item) throw invalid(field, `the order has no line item ${index}`)
  if (item.delivery.status === 'failed') {
    return `${field}: line item ${index} was not delivered, so its price is refunded`
  }
  const shipment = findShipment(order, index)
  return shipment && `${field}: line item ${index} is in the shipment ${shipment.id}: cancel that one first`
}

/**
 * Returns the line items that the merchant ships, or says why they cannot be shipped.
 *
 * @throws {@link InvalidInput} naming the field.
 */
export const planShipment = (
  order: OrderState,
  { lineItems }: Pick<CreateShipmentBody, 'lineItems'>,
): ShipmentPlan => {
  const refusal = explainOrder(order)
  if (refusal !== undefined) return { refusal }
  if (!lineItems) {
    const due = [...order.lineItems.keys()].filter((index) => canShip(order, index))
    return due.length ? due : { refusal: 'Every line item of this order is shipped or refunded already' }
  }
  const indexes = lineItems.map(({ index }) => index)
  for (const [at, index] of indexes.entries()) {
    const field = `lineItems[${at}].index`
    if (order.lineItems[index] && indexes.indexOf(index) !== at) {
      throw invalid(field, `line item ${index} is named twice`)
    }
    const fault = explainItem(order, index, field)
    if (fault !== undefined) return { refusal: fault }
  }
  return indexes
}

/** Says what becomes of a correction: it is due, it was made before, or there is no such shipment. */
export const explainCancel = (
  { shipments = [] }: OrderState,
  shipmentId: string,
): 'due' | 'done' | 'not-found' => {
  const found = shipments.find(({ id }) => id === shipmentId)
  if (!found) return 'not-found'
  return found.cancelled ? 'done' : 'due'
}
