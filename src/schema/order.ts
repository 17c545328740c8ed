import * as z from 'zod/mini'
import { LineItem } from './lineItem.js'
import { maybe } from './maybe.js'
import type { Phase } from './members.js'
import { known } from './open.js'
import { Payment } from './payment.js'
import { Quote } from './quote.js'

/**
 * An order, as the service shows it. Unknown fields and unknown enumeration members are kept.
 *
 * @source interface.md "Order"
 */
export const Order = z.looseObject({
  orderId: z.string(),
  phase: known<Phase>(),
  locale: maybe(z.string()),
  lineItems: z.array(LineItem),
  quote: Quote,
  payment: Payment,
  /**
   * The gift's giver and note, in an extension of the interface. Only server keys and webhooks receive it.
   */
  gift: maybe(z.looseObject({ giverName: maybe(z.string()), note: maybe(z.string()) })),
  metadata: maybe(z.looseObject({})),
})
export type Order = z.infer<typeof Order>
