import type { Order, OrderShipments, Shipment } from 'kassa/schema'
import { t } from '../messages/index.js'

/** Returns the shipments of an order, oldest first. */
export const listShipments = (order: Order): Shipment[] => {
  const { shipments = [] } = order as Order & OrderShipments
  return shipments
}

/** Whether the payment waits for the merchant's decision. */
export const isUncaptured = ({ payment }: Order): boolean =>
  'captureStatus' in payment && payment.captureStatus === 'requires-capture'

/** Returns the positions of the line items that can be shipped now: of a paid order with an address. */
export const listUnshipped = (order: Order): number[] => {
  const isPaid = order.payment.status === 'completed' && !isUncaptured(order)
  const isAddressed = order.lineItems[0]?.delivery.recipient?.physicalAddress !== undefined
  if (!isPaid || !isAddressed) return []
  const shipped = new Set(
    listShipments(order)
      .filter(({ status }) => status !== 'cancelled')
      .flatMap(({ lineItems }) => lineItems.map(({ index }) => index)),
  )
  return [...order.lineItems.keys()].filter(
    (index) => !shipped.has(index) && order.lineItems[index]?.delivery.status !== 'failed',
  )
}

/** Names a line item, with how many of it. */
export const nameItem = ({ lineItems }: Order, index: number): string => {
  const { metadata, quantity = 1 } = lineItems[index] ?? {}
  return `${metadata?.name ?? index + 1} ${t.order.quantity(quantity)}`
}

/** Whether a text is an address that the reader may be sent to. */
export const isHttps = (text: string | undefined): text is string =>
  text !== undefined && URL.canParse(text) && new URL(text).protocol === 'https:'
