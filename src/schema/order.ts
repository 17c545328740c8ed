import * as z from 'zod/mini'
import { LineItem } from './lineItem.js'
import { maybe } from './maybe.js'
import type { Phase } from './members.js'
import { known, openObject, type Unread } from './open.js'
import { Payment } from './payment.js'
import { Quote } from './quote.js'

const fields = {
  orderId: z.string(),
  phase: known<Phase>(),
  locale: maybe(z.string()),
  lineItems: z.array(LineItem),
  quote: Quote,
  payment: Payment,
  /**
   * The gift's giver and note, in an extension of the interface. Only server keys and webhooks receive it.
   */
  gift: maybe(openObject({ giverName: maybe(z.string()), note: maybe(z.string()) })),
  metadata: maybe(z.looseObject({})),
}

/**
 * An order, as the service shows it. Unknown fields and unknown enumeration members are kept.
 *
 * @source interface.md "Order"
 */
export const Order = openObject(fields as typeof fields & Unread<'shipments'>)
export type Order = z.infer<typeof Order>
