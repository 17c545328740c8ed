import * as z from 'zod/mini'
import { LineItem } from './lineItem.js'
import { phases } from './members.js'
import { open } from './open.js'
import { Payment } from './payment.js'
import { Quote } from './quote.js'

/**
 * An order, as the service shows it. Unknown fields and unknown enumeration members are kept.
 *
 * @source interface.md "Order"
 */
export const Order = z.looseObject({
  orderId: z.string(),
  phase: open(phases),
  locale: z.optional(z.string()),
  lineItems: z.array(LineItem),
  quote: Quote,
  payment: Payment,
  metadata: z.optional(z.record(z.string(), z.unknown())),
})
export type Order = z.infer<typeof Order>
