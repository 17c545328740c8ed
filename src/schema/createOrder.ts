import * as z from 'zod/mini'
import { LineItemInput } from './lineItemInput.js'
import { LocaleTag } from './localeTag.js'
import { captureMethods } from './orderMembers.js'
import { PaymentInput } from './paymentInput.js'
import { RecipientInput } from './recipient.js'
import { AllowListProof, PromotionCodeText } from './saleInput.js'
import { jsonBytes, maxJsonBytes, smallJson } from './smallJson.js'
import { sentText } from './text.js'

/** The merchant's own data on an order: a JSON object of at most 16 KiB. */
export const OrderMetadata = z.record(z.string(), z.json()).check(smallJson)
export type OrderMetadata = z.infer<typeof OrderMetadata>

/** Refuses the line item whose `callData` brings the order's total above 16 KiB. */
const smallCallData = z.check<LineItemInput[]>(({ value, issues }) => {
  let bytes = 0
  for (const [index, { callData }] of value.entries()) {
    bytes += callData ? jsonBytes(callData) : 0
    if (bytes <= maxJsonBytes) continue
    const message = 'expected at most 16 KiB of JSON in all line items together'
    issues.push({ code: 'custom', input: callData, path: [index, 'callData'], message })
    return
  }
})

/** The giver of a gift and their note to the recipient, an extension of the interface. */
export const Gift = z.object({
  giverName: z.optional(sentText(100)),
  note: z.optional(sentText(200)),
})
export type Gift = z.infer<typeof Gift>

/** A single line item or a list of them; readers always get the list. */
export const LineItemInputs = z.pipe(
  // A missing field stays missing, so that the error names it and not an item in it. So does null, which counts as absent.
  z.transform((value: LineItemInput | LineItemInput[]): unknown =>
    value === undefined || value === null || Array.isArray(value) ? value : [value],
  ),
  z
    .array(LineItemInput)
    .check(
      z.minLength(1, 'expected at least 1 line item'),
      z.maxLength(50, 'expected at most 50 line items'),
      smallCallData,
    ),
)

/** How a client wants to pay, and whether the merchant captures the payment. */
const NewPaymentInput = z.object({
  ...PaymentInput.shape,
  /** An extension of the interface, for server keys. */
  capture: z.optional(z.enum(captureMethods, 'expected automatic or manual')),
})

/**
 * A client's request to create an order.
 *
 * @source interface.md "Create order"; answers.md "Create order, edit order"
 */
export const CreateOrderBody = z.object({
  recipient: z.optional(RecipientInput),
  locale: z.optional(LocaleTag),
  payment: NewPaymentInput,
  lineItems: LineItemInputs,
  metadata: z.optional(OrderMetadata),
  gift: z.optional(Gift),
  /** An extension of the interface. */
  promotionCode: z.optional(PromotionCodeText),
  /** An extension of the interface. */
  allowListProof: z.optional(AllowListProof),
})
/** The body as a client may send it: `lineItems` a single object or a list. */
export type CreateOrderBody = z.input<typeof CreateOrderBody>
/** The body as the service parses it: `lineItems` always a list. */
export type ParsedCreateOrderBody = z.output<typeof CreateOrderBody>
