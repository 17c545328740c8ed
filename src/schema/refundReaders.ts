// Made by `npm run fix` out of the schemas it imports; not to be edited.
import type { AuditEntryList } from './auditEntry.js'
import type { OrderSummary } from './orderSummary.js'
import { list, maybe, number, object, type Reader, reader, text } from './read.js'
import type { Refund, RefundList } from './refund.js'
import type { ResentMail } from './resentMail.js'
import type { ResentWebhook } from './resentWebhook.js'
import type { Shipment } from './shipment.js'
import type { OrderTimeline } from './timeline.js'

const isResentMail = /* @__PURE__ */ object({ mailId: text, kind: text, recipient: text })

/** Reads what the schema ResentMail describes. */
export const readResentMail: Reader<ResentMail> = /* @__PURE__ */ reader(isResentMail)

const isResentWebhook = /* @__PURE__ */ object({ eventId: text, type: text, endpointIds: list(text) })

/** Reads what the schema ResentWebhook describes. */
export const readResentWebhook: Reader<ResentWebhook> = /* @__PURE__ */ reader(isResentWebhook)

const isShipment = /* @__PURE__ */ object({
  shipmentId: text,
  orderId: text,
  status: text,
  carrier: text,
  trackingNumber: maybe(text),
  trackingUrl: maybe(text),
  lineItems: list(object({ index: number })),
  shippedAt: text,
  cancelledAt: maybe(text),
  reason: maybe(text),
})

/** Reads what the schema Shipment describes. */
export const readShipment: Reader<Shipment> = /* @__PURE__ */ reader(isShipment)

const isAuditEntryList = /* @__PURE__ */ object({
  data: list(
    object({
      entryId: text,
      actor: object({ name: text, accountId: maybe(text) }),
      operation: text,
      resource: text,
      outcome: text,
      requestId: maybe(text),
      ipAddress: maybe(text),
      createdAt: text,
    }),
  ),
  nextCursor: maybe(text),
  previousCursor: maybe(text),
})

/** Reads what the schema AuditEntryList describes. */
export const readAuditEntryList: Reader<AuditEntryList> = /* @__PURE__ */ reader(isAuditEntryList)

const isRefund = /* @__PURE__ */ object({
  refundId: text,
  orderId: text,
  status: text,
  cause: text,
  reason: maybe(text),
  amount: text,
  currency: text,
  chain: text,
  recipient: maybe(text),
  lineItems: maybe(list(object({ index: number, amount: text }))),
  txId: maybe(text),
  contract: maybe(text),
  fee: maybe(object({ amount: text, currency: text })),
  note: maybe(text),
  createdAt: maybe(text),
})

/** Reads what the schema Refund describes. */
export const readRefund: Reader<Refund> = /* @__PURE__ */ reader(isRefund)

const isRefundList = /* @__PURE__ */ object({ data: list(isRefund) })

/** Reads what the schema RefundList describes. */
export const readRefundList: Reader<RefundList> = /* @__PURE__ */ reader(isRefundList)

const isOrderTimeline = /* @__PURE__ */ object({
  data: list(
    object({
      type: text,
      at: text,
      status: maybe(text),
      chain: maybe(text),
      txId: maybe(text),
      payer: maybe(text),
      amount: maybe(text),
      currency: maybe(text),
      refundId: maybe(text),
      shipmentId: maybe(text),
      kind: maybe(text),
      mailId: maybe(text),
      recipient: maybe(text),
      eventId: maybe(text),
      endpointId: maybe(text),
      attempts: maybe(number),
      failure: maybe(text),
    }),
  ),
})

/** Reads what the schema OrderTimeline describes. */
export const readOrderTimeline: Reader<OrderTimeline> = /* @__PURE__ */ reader(isOrderTimeline)

const isOrderSummary = /* @__PURE__ */ object({
  since: text,
  orders: object({ quote: number, payment: number, delivery: number, completed: number }),
  sales: list(
    object({
      chain: text,
      currency: text,
      amount: text,
      refunded: maybe(text),
      net: maybe(text),
      orders: number,
    }),
  ),
  attention: object({
    captures: list(object({ orderId: text, captureBefore: text })),
    refunds: list(object({ orderId: text, status: text, reason: maybe(text) })),
    webhooks: list(object({ endpointId: text, url: text, failed: number })),
    failingWebhooks: maybe(list(object({ endpointId: text, url: text, waiting: number }))),
    parcels: maybe(list(object({ orderId: text, lineItems: number }))),
    deliveries: maybe(list(object({ orderId: text, attempts: number }))),
    mails: maybe(list(object({ orderId: maybe(text), kind: text, recipient: text, createdAt: text }))),
  }),
})

/** Reads what the schema OrderSummary describes. */
export const readOrderSummary: Reader<OrderSummary> = /* @__PURE__ */ reader(isOrderSummary)
