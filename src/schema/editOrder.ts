import * as z from 'zod/mini'
import { LocaleTag } from './localeTag.js'
import { PaymentChange } from './paymentInput.js'
import { RecipientInput } from './recipient.js'
import { AllowListProof, PromotionCodeText } from './saleInput.js'

/**
 * The changes to an unpaid order, which the service then quotes again. Any other field is refused.
 *
 * `payment.refundAddress` alone changes no quote. It is taken at any time before a payment was seen, and while a refund
 * is held because a contract paid.
 *
 * @source answers.md "Create order, edit order"
 */
export const EditOrderBody = z.strictObject({
  recipient: z.optional(RecipientInput),
  locale: z.optional(LocaleTag),
  payment: z.optional(PaymentChange),
  /** An extension of the interface. `null` removes the code. */
  promotionCode: z.optional(z.nullable(PromotionCodeText)),
  /** An extension of the interface. */
  allowListProof: z.optional(AllowListProof),
})
export type EditOrderBody = z.infer<typeof EditOrderBody>
