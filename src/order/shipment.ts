import type { LineItem, Order, Shipment } from '../schema/index.js'

/** What a buyer is told of the parcel that a line item is in. */
export type ItemShipment = { carrier: string; trackingUrl?: string }

const isShipment = (value: unknown): value is Shipment =>
  typeof value === 'object' &&
  value !== null &&
  'carrier' in value &&
  typeof value.carrier === 'string' &&
  'lineItems' in value &&
  Array.isArray(value.lineItems)

// A link that the shop's service names is opened by the buyer: a script must not be one.
const isLink = (url: unknown): url is string => typeof url === 'string' && /^https:\/\//i.test(url)

/**
 * Returns the parcel that a line item is in, if the shop has shipped it. A reader of shipments would be loaded by every
 * page with an order, and few shops ship, so what is needed of them is checked here.
 */
export const getItemShipment = (order: Order, item: LineItem): ItemShipment | undefined => {
  const { shipments } = order
  const index = order.lineItems.indexOf(item)
  const found = (Array.isArray(shipments) ? shipments : [])
    .filter(isShipment)
    .find(({ status, lineItems }) => status === 'shipped' && lineItems.some((each) => each?.index === index))
  return (
    found && { carrier: found.carrier, ...(isLink(found.trackingUrl) && { trackingUrl: found.trackingUrl }) }
  )
}
