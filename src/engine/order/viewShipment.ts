import type { Shipment } from '../../schema/shipment.js'
import type { OrderState, ShipmentState } from './order.js'

const iso = (epochMs: number): string => new Date(epochMs).toISOString()

/** Converts a shipment to what clients see of it. The reason of a correction is for the merchant alone. */
export const viewShipment = (
  { orderId }: Pick<OrderState, 'orderId'>,
  { id, carrier, trackingNumber, trackingUrl, lineItems, shippedAtMs, cancelled }: ShipmentState,
  audience: 'merchant' | 'buyer',
): Shipment => ({
  shipmentId: id,
  orderId,
  status: cancelled ? 'cancelled' : 'shipped',
  carrier,
  ...(trackingNumber !== undefined && { trackingNumber }),
  ...(trackingUrl !== undefined && { trackingUrl }),
  lineItems: lineItems.map((index) => ({ index })),
  shippedAt: iso(shippedAtMs),
  ...(cancelled && { cancelledAt: iso(cancelled.atMs) }),
  ...(audience === 'merchant' && cancelled?.reason !== undefined && { reason: cancelled.reason }),
})
