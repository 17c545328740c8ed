import * as z from 'zod/mini'
import { LocaleTag } from './localeTag.js'
import { PaymentInput } from './paymentInput.js'
import { RecipientInput } from './recipient.js'

/**
 * The changes to an unpaid order, which the service then quotes again. Any other field is refused.
 *
 * @source answers.md "Create order, edit order"
 */
export const EditOrderBody = z.strictObject({
  recipient: z.optional(RecipientInput),
  locale: z.optional(LocaleTag),
  payment: z.optional(PaymentInput),
})
export type EditOrderBody = z.infer<typeof EditOrderBody>
