// Made by `npm run fix` out of the schemas it imports; not to be edited.
import type { CreateOrderAnswer } from './createOrderAnswer.js'
import type { Order } from './order.js'
import type { OrderList } from './orderList.js'
import { list, maybe, number, object, type Reader, reader, text, truth } from './read.js'

const isUnit = /* @__PURE__ */ object({
  amount: text,
  currency: text,
  fiat: maybe(object({ amount: text, currency: text })),
})

const isLineItems = /* @__PURE__ */ list(
  object({
    chain: maybe(text),
    quantity: maybe(number),
    callData: maybe(object({ quantity: maybe(number) })),
    metadata: maybe(object({ name: maybe(text), description: maybe(text), imageUrl: maybe(text) })),
    quote: object({
      status: text,
      unavailabilityReason: maybe(object({ code: text, message: maybe(text), availableAt: maybe(text) })),
      available: maybe(number),
      allowance: maybe(object({ max: number, left: number })),
      sale: maybe(
        object({
          startsAt: maybe(text),
          endsAt: maybe(text),
          phase: maybe(object({ name: text, endsAt: maybe(text), isForAllowList: maybe(truth) })),
          maxPerBuyer: maybe(object({ wallet: maybe(number), email: maybe(number), payer: maybe(number) })),
          hasPromotionCodes: maybe(truth),
        }),
      ),
      charges: maybe(
        object({
          unit: maybe(isUnit),
          salesTax: maybe(isUnit),
          shipping: maybe(isUnit),
          discount: maybe(isUnit),
        }),
      ),
      totalPrice: maybe(isUnit),
    }),
    delivery: object({
      status: text,
      recipient: maybe(
        object({
          locator: maybe(text),
          email: maybe(text),
          walletAddress: maybe(text),
          physicalAddress: maybe(
            object({
              name: maybe(text),
              line1: maybe(text),
              line2: maybe(text),
              city: maybe(text),
              state: maybe(text),
              postalCode: maybe(text),
              country: maybe(text),
            }),
          ),
        }),
      ),
      txId: maybe(text),
      tokens: maybe(
        list(
          object({
            locator: text,
            contractAddress: maybe(text),
            tokenId: maybe(text),
            mintHash: maybe(text),
          }),
        ),
      ),
    }),
  }),
)

const isQuote = /* @__PURE__ */ object({
  status: text,
  quotedAt: maybe(text),
  expiresAt: maybe(text),
  totalPrice: maybe(isUnit),
  promotion: maybe(object({ code: text, status: text })),
})

const isPayment = /* @__PURE__ */ object({
  status: text,
  method: maybe(text),
  currency: maybe(text),
  receiptEmail: maybe(text),
  preparation: maybe(object({ chain: text, payerAddress: maybe(text), serializedTransaction: maybe(text) })),
  failureReason: maybe(object({ code: text, message: maybe(text) })),
  received: maybe(
    object({
      amount: text,
      currency: text,
      chain: maybe(text),
      txId: maybe(text),
      payerAddress: maybe(text),
      paidAt: maybe(text),
    }),
  ),
  transactions: maybe(list(object({ txId: text, chain: maybe(text), use: text }))),
  remaining: maybe(isUnit),
  refunded: maybe(
    object({
      amount: text,
      currency: text,
      chain: maybe(text),
      txId: maybe(text),
      fee: maybe(object({ amount: text, currency: text })),
      causes: maybe(list(text)),
      reason: maybe(text),
    }),
  ),
  refundAddress: maybe(text),
  refundHeld: maybe(
    object({ amount: text, currency: text, chain: maybe(text), txId: maybe(text), reason: maybe(text) }),
  ),
  refundClaimable: maybe(
    object({ amount: text, currency: text, chain: maybe(text), txId: maybe(text), contract: maybe(text) }),
  ),
})

const isOrder = /* @__PURE__ */ object({
  orderId: text,
  phase: text,
  locale: maybe(text),
  lineItems: isLineItems,
  quote: isQuote,
  payment: isPayment,
  gift: maybe(object({ giverName: maybe(text), note: maybe(text) })),
  metadata: maybe(object({})),
})

/** Reads what the schema Order describes. */
export const readOrder: Reader<Order> = /* @__PURE__ */ reader(isOrder)

const isCreateOrderAnswer = /* @__PURE__ */ object({ clientSecret: text, order: isOrder })

/** Reads what the schema CreateOrderAnswer describes. */
export const readCreateOrderAnswer: Reader<CreateOrderAnswer> = /* @__PURE__ */ reader(isCreateOrderAnswer)

const isOrderList = /* @__PURE__ */ object({
  data: list(
    object({
      orderId: text,
      phase: text,
      locale: maybe(text),
      lineItems: isLineItems,
      quote: isQuote,
      payment: isPayment,
      gift: maybe(object({ giverName: maybe(text), note: maybe(text) })),
      metadata: maybe(object({})),
      createdAt: maybe(text),
    }),
  ),
  nextCursor: maybe(text),
  previousCursor: maybe(text),
})

/** Reads what the schema OrderList describes. */
export const readOrderList: Reader<OrderList> = /* @__PURE__ */ reader(isOrderList)
