import type { DeliveryStatus, LineItem, Open } from '../../schema/index.js'

/** Where one line item stands: its delivery, or that it cannot be bought. */
export type ItemStatus = Open<DeliveryStatus | 'unavailable'>

/** Reads where a line item stands. */
export const getItemStatus = (item: LineItem): ItemStatus =>
  item.quote.status === 'item-unavailable' ? 'unavailable' : item.delivery.status
