import { customType } from 'drizzle-orm/pg-core'
import type { LineItemState, OrderState } from 'kassa/engine'

/** A line item as the document has it. One with the texts of an earlier item names that item by its index. */
type PackedItem = Omit<LineItemState, 'metadata'> & { metadata: LineItemState['metadata'] | number }

type PackedOrder = Omit<OrderState, 'lineItems'> & { lineItems: PackedItem[] }

const pack = (order: OrderState): PackedOrder => {
  if (order.lineItems.length < 2) return order
  const known = new Map<string, number>()
  const lineItems = order.lineItems.map((item, at): PackedItem => {
    const texts = JSON.stringify(item.metadata)
    const first = known.get(texts)
    if (first !== undefined) return { ...item, metadata: first }
    known.set(texts, at)
    return item
  })
  return { ...order, lineItems }
}

const readTexts = (items: readonly PackedItem[], at: number): LineItemState['metadata'] => {
  const texts = items[at]?.metadata
  if (typeof texts !== 'object') throw new Error(`no texts are stored for line item ${at}`)
  return texts
}

const unpack = ({ lineItems: packed, ...order }: PackedOrder): OrderState => {
  const lineItems = packed.map(
    (item, at): LineItemState => ({
      ...item,
      metadata: readTexts(packed, typeof item.metadata === 'number' ? item.metadata : at),
    }),
  )
  return { ...order, lineItems }
}

/**
 * The state of an order as JSON. Texts of a template that several line items are of are stored once: a short request may
 * name a template of long texts fifty times.
 */
export const orderDocument = customType<{ data: OrderState; driverData: string | PackedOrder }>({
  dataType: () => 'jsonb',
  toDriver: pack,
  fromDriver: (value) => unpack(typeof value === 'string' ? JSON.parse(value) : value),
})
