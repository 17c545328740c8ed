import type { DeliveryStatus, Known, LineItem } from '../../../schema/index.js'

/** A line item's status: that of its delivery, or that it cannot be bought. */
export type ItemStatus = Known<DeliveryStatus | 'unavailable'>

/** Returns a line item's status. */
export const getItemStatus = (item: LineItem): ItemStatus =>
  item.quote.status === 'item-unavailable' ? 'unavailable' : item.delivery.status
