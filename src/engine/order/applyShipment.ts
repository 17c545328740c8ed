import { isPaid } from './accepted.js'
import { isUncaptured } from './applyCapture.js'
import { isClaimed } from './applyClaim.js'
import { type OrderEvent, type Transition, unchanged } from './event.js'
import type { OrderState, ShipmentState } from './order.js'

/** How many shipments an order can have, cancelled ones included. They are part of every answer about it. */
export const maxShipments = 100

/** Returns the shipment that a line item is in, if it is shipped. */
export const findShipment = (
  { shipments = [] }: OrderState,
  lineItemIndex: number,
): ShipmentState | undefined =>
  shipments.find(({ cancelled, lineItems }) => !cancelled && lineItems.includes(lineItemIndex))

/** Whether the merchant has been paid for an order: its payment is captured, or it costs nothing. */
export const isSold = (order: OrderState): boolean =>
  !isUncaptured(order) && (isClaimed(order) || isPaid(order))

/** Whether a line item is due to the buyer and not shipped yet. One that failed is refunded. */
export const canShip = (order: OrderState, lineItemIndex: number): boolean => {
  const status = order.lineItems[lineItemIndex]?.delivery.status
  return status !== undefined && status !== 'failed' && !findShipment(order, lineItemIndex)
}

/** Records a shipment of line items that are sold, have an address to go to, and are not shipped yet. */
export const createShipment = (
  order: OrderState,
  shipment: Extract<OrderEvent, { type: 'shipment-created' }>['shipment'],
  nowMs: number,
): Transition => {
  const { shipments = [], recipient } = order
  const isRoom = shipments.length < maxShipments && !shipments.some(({ id }) => id === shipment.id)
  const isDue =
    isSold(order) &&
    recipient?.physicalAddress !== undefined &&
    shipment.lineItems.length > 0 &&
    shipment.lineItems.every((index) => canShip(order, index))
  if (!isRoom || !isDue) return unchanged(order)
  return { order: { ...order, shipments: [...shipments, { ...shipment, shippedAtMs: nowMs }] }, effects: [] }
}

/** Records that a shipment was reported by mistake. Cancelling it again changes nothing. */
export const cancelShipment = (
  order: OrderState,
  { shipmentId, reason }: Extract<OrderEvent, { type: 'shipment-cancelled' }>,
  nowMs: number,
): Transition => {
  const found = order.shipments?.find(({ id }) => id === shipmentId)
  if (!found || found.cancelled) return unchanged(order)
  const cancelled = { atMs: nowMs, ...(reason !== undefined && { reason }) }
  const shipments = order.shipments?.map((each) => (each === found ? { ...each, cancelled } : each)) ?? []
  return { order: { ...order, shipments }, effects: [] }
}
