import * as z from 'zod/mini'
import { LineItemInputs } from './createOrder.js'
import { maybe } from './maybe.js'
import { type PaymentLinkStatus, paymentLinkChanges } from './members.js'
import { Limit, limitError, noLimit, orNoLimit } from './noLimit.js'
import { known, openObject } from './open.js'
import { LinkPaymentInput } from './paymentInput.js'
import { nameText, text } from './text.js'

/** A link with a page on which buyers order and pay, an extension of the interface. */
export const PaymentLink = openObject({
  paymentLinkId: z.string(),
  /** The page. Anyone who knows it can buy. */
  url: z.string(),
  /** `used-up` once its paid orders have reached `maxUses`, `ended` after `expiresAt`. */
  status: known<PaymentLinkStatus>(),
  /** What the page and its preview are called; absent if it is the name of the first line item. */
  title: maybe(z.string()),
  /** What each order of the link buys. */
  lineItems: z.array(
    openObject({
      /** `<namespace>:<collectionId>`, with `:<templateId>` for a template. */
      collectionLocator: z.string(),
      quantity: z.number(),
    }),
  ),
  /** How many of the line item a buyer may choose; absent if the number is fixed. */
  maxQuantity: maybe(z.number()),
  /** The chain and the currency that orders begin with. A buyer may choose others that the service accepts. */
  payment: maybe(openObject({ method: z.string(), currency: z.string() })),
  /** How many orders may be paid; absent without a limit. */
  maxUses: maybe(z.number()),
  /** The orders of the link that are paid, and those that are being paid now. */
  uses: openObject({ paid: z.number(), reserved: z.number() }),
  expiresAt: maybe(z.string()),
  /** Where the page leads after the delivery, with the order’s id as the parameter `orderId`. */
  successUrl: maybe(z.string()),
  createdAt: z.string(),
})
export type PaymentLink = z.infer<typeof PaymentLink>

/** A page of a project's payment links, newest first. */
export const PaymentLinkList = openObject({ data: z.array(PaymentLink) })
export type PaymentLinkList = z.infer<typeof PaymentLinkList>

const Title = nameText(100)
const MaxQuantity = z
  .int('expected a whole number')
  .check(z.gte(2, 'expected 2 or more'), z.lte(100, 'expected 100 or fewer'))
const Time = z.iso.datetime({ offset: true, ...limitError('expected an ISO 8601 time') })
const SuccessUrl = text(2048)

/**
 * A request for a payment link. It names `lineItems`, as a new order does, or `orderId`, an order whose line items each
 * order of the link buys again.
 */
export const CreatePaymentLinkBody = z
  .object({
    lineItems: z.optional(LineItemInputs),
    orderId: z.optional(text(64)),
    title: z.optional(Title),
    maxQuantity: z.optional(MaxQuantity),
    payment: z.optional(LinkPaymentInput),
    maxUses: z.optional(Limit),
    expiresAt: z.optional(Time),
    successUrl: z.optional(SuccessUrl),
  })
  .check(
    z.refine(
      ({ lineItems, orderId }) => (lineItems === undefined) !== (orderId === undefined),
      'expected either lineItems or orderId',
    ),
  )
/** The body as a caller may send it: `lineItems` a single object or a list. */
export type CreatePaymentLinkBody = z.input<typeof CreatePaymentLinkBody>
/** The body as the service parses it: `lineItems` always a list. */
export type ParsedCreatePaymentLinkBody = z.output<typeof CreatePaymentLinkBody>

/** A change of a payment link: omitted fields stay. Any other field is refused. */
export const UpdatePaymentLinkBody = z
  .strictObject({
    status: z.optional(z.enum(paymentLinkChanges, 'expected "active" or "deactivated"')),
    title: z.optional(Title),
    maxUses: z.optional(orNoLimit(Limit)),
    expiresAt: z.optional(
      z.union([Time, z.literal(noLimit)], limitError(`expected an ISO 8601 time, or "${noLimit}"`)),
    ),
    /** `null` removes it. */
    successUrl: z.optional(z.nullable(SuccessUrl)),
  })
  .check(
    z.refine(
      (changes) => Object.values(changes).some((change) => change !== undefined),
      'expected at least one of status, title, maxUses, expiresAt, successUrl',
    ),
  )
export type UpdatePaymentLinkBody = z.infer<typeof UpdatePaymentLinkBody>
