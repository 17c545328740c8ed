import * as z from 'zod/mini'
import { locales } from './members.js'
import { PaymentInput } from './paymentInput.js'
import { RecipientInput } from './recipient.js'

/**
 * The changes to an unpaid order, which the service then quotes again. Any other field is refused.
 *
 * @source answers.md "Create order, edit order"
 */
export const EditOrderBody = z.strictObject({
  recipient: z.optional(RecipientInput),
  locale: z.optional(z.enum(locales, 'expected a supported locale such as "en-US"')),
  payment: z.optional(PaymentInput),
})
export type EditOrderBody = z.infer<typeof EditOrderBody>
