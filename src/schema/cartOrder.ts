import * as z from 'zod/mini'
import { LocaleTag } from './localeTag.js'
import { PaymentInput } from './paymentInput.js'
import { RecipientInput } from './recipient.js'

/**
 * A browser's request to the shop's own handler to create an order: a cart, which only the shop can turn into
 * line items and prices. Any other field is refused.
 */
export const CartOrderBody = z.strictObject({
  recipient: z.optional(RecipientInput),
  locale: z.optional(LocaleTag),
  payment: PaymentInput,
  /** The shop's own JSON. */
  cart: z.unknown().check(z.refine((cart) => cart !== undefined, 'required')),
})
export type CartOrderBody = z.infer<typeof CartOrderBody>
