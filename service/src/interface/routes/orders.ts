import { CursorQuery, PageQuery, toPage } from 'kassa/engine'
import {
  Authorization,
  CancelShipmentBody,
  CreateAuthorizationBody,
  CreateOrderAnswer,
  CreateOrderBody,
  CreateRefundBody,
  CreateShipmentBody,
  EditOrderBody,
  fields,
  members,
  Order,
  OrderList,
  OrderSummary,
  OrderTimeline,
  PaymentMethodList,
  PaymentOptionList,
  Refund,
  RefundList,
  ReportPaymentBody,
  ResendWebhookBody,
  ResentMail,
  ResentWebhook,
  Shipment,
} from 'kassa/schema'
import * as z from 'zod/mini'
import { resendOrderWebhook } from '#notify/webhooks/resendOrderWebhook.js'
import { createAuthorization } from '#sale/authorizations/createAuthorization.js'
import { captureOrder, voidOrder } from '#sale/orders/captureOrder.js'
import { createOrder } from '#sale/orders/createOrder.js'
import { createRefund } from '#sale/orders/createRefund.js'
import { cancelShipment, createShipment } from '#sale/orders/createShipment.js'
import { exportOrders } from '#sale/orders/exportOrders.js'
import { getSummary } from '#sale/orders/getSummary.js'
import { getTimeline } from '#sale/orders/getTimeline.js'
import { listPaymentMethods } from '#sale/orders/listPaymentMethods.js'
import { listPaymentOptions } from '#sale/orders/listPaymentOptions.js'
import { getOrder, listOrders } from '#sale/orders/readOrders.js'
import { getRefund, listRefunds } from '#sale/orders/readRefunds.js'
import { reportPayment } from '#sale/orders/reportPayment.js'
import { editOrder, refreshOrder } from '#sale/orders/requoteOrder.js'
import { resendMail } from '#sale/orders/resendMail.js'
import { streamOrder } from '#sale/orders/streamOrder.js'
import { Time, toPageRequest } from './cursorQuery.js'
import { defineRoute, type Route } from './route.js'

const filters = {
  sort: z.optional(z.enum(members.orderSorts)),
  phase: z.optional(z.enum(members.phases)),
  search: z.optional(
    z.string().check(z.minLength(1, 'expected a text to find'), z.maxLength(300, 'too long')),
  ),
  createdFrom: z.optional(Time),
  createdBefore: z.optional(Time),
}
const ListOrdersQuery = z.extend(CursorQuery, filters)
const ExportOrdersQuery = z.object(filters)

const toDate = (time: string | undefined): Date | undefined =>
  time === undefined ? undefined : new Date(time)
const PaymentOptionsQuery = z.object({ payerAddress: z.optional(fields.WalletAddress) })
const SummaryQuery = z.object({ since: z.optional(Time) })

const order = (description: string) => ({ status: 200, schema: Order, description }) as const
const orderIdOf = (params: Readonly<Record<string, string>>): string => params.orderId ?? ''

/** Operations on orders. */
export const orderRoutes: readonly Route[] = [
  defineRoute('createOrder', {
    summary: 'Create an order',
    description: 'Quotes the line items and prepares the payment. The client secret is returned only here.',
    body: CreateOrderBody,
    answer: {
      status: 201,
      schema: CreateOrderAnswer,
      description: 'The order and its client secret',
    },
    refusals: ['input-invalid', 'not-found', 'conflict', 'body-too-large'],
    run: (deps, call, { body }) => createOrder(deps, call, body),
  }),
  defineRoute('listOrders', {
    summary: 'List orders',
    description:
      'The project’s orders, newest first, or oldest first with `sort`. `search` is an id, an e-mail address, a wallet, a transaction, a token or the name of a product, or a part of one, which is looked for in the newest 20,000 orders. `sort`, `phase`, `search`, `createdFrom` and `createdBefore` are an extension of the interface.',
    query: ListOrdersQuery,
    answer: { status: 200, schema: OrderList, description: 'A page of orders' },
    refusals: ['input-invalid'],
    run: (deps, call, { query: { createdFrom, createdBefore, phase, search, sort, ...page } }) =>
      listOrders(deps, call, {
        ...toPageRequest(page),
        sort,
        phase,
        search,
        createdFrom: toDate(createdFrom),
        createdBefore: toDate(createdBefore),
      }),
  }),
  defineRoute('exportOrders', {
    summary: 'Export orders',
    description:
      'The project’s orders as CSV, one row for each, with the filters and the sorting of list orders. The rows are sent as they are read, so that there is no limit to them. Amounts are decimal strings beside their currency, and times are ISO 8601. A text that a spreadsheet would take for a formula begins with an apostrophe. The file begins with a byte order mark. It is an extension of the interface.',
    query: ExportOrdersQuery,
    answer: { status: 200, schema: z.string(), description: 'The rows, under their titles' },
    isCsv: true,
    refusals: ['input-invalid'],
    run: (deps, call, { query: { createdFrom, createdBefore, ...query } }) =>
      exportOrders(deps, call, {
        ...query,
        createdFrom: toDate(createdFrom),
        createdBefore: toDate(createdBefore),
      }),
  }),
  defineRoute('getOrder', {
    summary: 'Get an order',
    description:
      'Once an order is paid, a server key also sees `payment.balances` in the currency that was paid: `captured`, `refunded` and `refundable`, what a refund may return now. It is an extension of the interface, as are `payment.capture`, `captureStatus` and `captureBefore` of an order whose payment the merchant captures. Such an order waits in `delivery`, with its payment `completed`. `payment.gas` says who pays the network fee of a payment in a token: the `payer`, or the `shop` for a payer who signs `payment.preparation.authorization`. That has a `kind` (`erc3009`, `permit` or `permit2`) and `typedData` of EIP-712; of a `permit`, the payer signs the typed data of `permit` as well. Both are absent where the shop never pays it. `payment.x402Url` is where software pays by x402, in a token that takes signed transfers. Its token opens nothing else.',
    answer: order('The order as it is now'),
    refusals: ['not-found', 'timeout'],
    isRevalidated: true,
    deadlineMs: 10_000,
    run: (deps, call, { params }) => getOrder(deps, call, { orderId: orderIdOf(params) }),
  }),
  defineRoute('streamOrder', {
    summary: 'Follow an order',
    description:
      'Sends the order as server-sent events: its state now, and the whole new state after every change. Each event is named `order`, and its id is the `ETag` that get order has for the same state. With that id in `Last-Event-ID`, the first event comes only if the order has changed since. A comment every 15 seconds shows that the connection works. The service may end a stream at any time: connect again after the time in `retry`.',
    answer: order('The order as it is now, and after every change'),
    isStream: true,
    refusals: ['not-found', 'rate-limited'],
    run: (deps, call, { params, network, lastEventId }) =>
      streamOrder(deps, call, { orderId: orderIdOf(params), network, lastEventId }),
  }),
  defineRoute('editOrder', {
    summary: 'Edit an order',
    description:
      'Changes recipient, payment, locale or promotion code of an order that is unpaid, and quotes it again. 409 while a payment that was seen may pay for it.',
    body: EditOrderBody,
    answer: order('The order, quoted again'),
    refusals: ['input-invalid', 'not-found', 'conflict', 'body-too-large'],
    run: (deps, call, { params, body }) => editOrder(deps, call, { orderId: orderIdOf(params), body }),
  }),
  defineRoute('refreshOrder', {
    summary: 'Refresh the quote of an order',
    description: 'Quotes the order again at the current price.',
    answer: order('The order, quoted again'),
    refusals: ['not-found', 'conflict'],
    run: (deps, call, { params }) => refreshOrder(deps, call, { orderId: orderIdOf(params) }),
  }),
  defineRoute('reportPayment', {
    summary: 'Report a payment',
    description:
      'Reports the transaction that the buyer sent, so that the service checks it sooner. Only the chain decides whether it pays.',
    body: ReportPaymentBody,
    answer: order('The order as it is now'),
    refusals: ['input-invalid', 'not-found', 'body-too-large'],
    run: (deps, call, { params, body }) => reportPayment(deps, call, { orderId: orderIdOf(params), body }),
  }),
  defineRoute('createAuthorization', {
    summary: 'Pay an order by a signature',
    description:
      'Takes what the buyer signed of `payment.preparation.authorization`: the domain and the message as they were signed, and the signature. The shop sends the payment and pays its network fee, which the order says by `payment.gas`. The money can go only to the order’s own address, and no later than the quote ends. A signature of a contract is taken as well (ERC-1271, ERC-6492). It answers once the payment is in a block, or after ten seconds as `pending`; the same request then answers with what became of it, and is never settled twice. 409 while another signed payment of the order is on its way. 422 names the fault in `reason`, in the words of x402, such as `insufficient_funds`. It is an extension of the interface.',
    body: CreateAuthorizationBody,
    answer: { status: 201, schema: Authorization, description: 'What became of the payment' },
    refusals: ['input-invalid', 'not-found', 'conflict', 'unprocessable', 'body-too-large'],
    run: (deps, call, { params, body }) =>
      createAuthorization(deps, call, { orderId: orderIdOf(params), body }),
  }),
  defineRoute('listPaymentOptions', {
    summary: 'List the ways to pay an order',
    description:
      'Each currency on each chain that the order may be paid in now, with its exact price, the most that the network may charge, and whether the payer holds enough for both. `payerAddress` decides whether EVM chains or Solana are listed. Without it, all are, for the payer of the order. `balance` and `sufficient` are null where there is no payer. They are null too, as is `networkFee`, for a chain that does not answer within three seconds. From a network that has listed the ways to pay very often within an hour, no chain is asked what the payer holds, and both are null. An order without a price, or one that costs nothing, has no ways to pay.',
    query: PaymentOptionsQuery,
    answer: { status: 200, schema: PaymentOptionList, description: 'The ways to pay' },
    refusals: ['input-invalid', 'not-found', 'conflict'],
    run: (deps, call, { params, query: { payerAddress } }) =>
      listPaymentOptions(deps, call, { orderId: orderIdOf(params), payerAddress }),
  }),
  defineRoute('listPaymentMethods', {
    summary: 'List payment methods',
    description:
      'The chains that new orders can be paid on, and the currencies that are accepted on each. A collection may accept fewer. It is an extension of the interface.',
    answer: { status: 200, schema: PaymentMethodList, description: 'The chains, with their currencies' },
    refusals: [],
    run: (deps) => listPaymentMethods(deps),
  }),
  defineRoute('captureOrder', {
    summary: 'Capture the payment of an order',
    description:
      'For an order that was created with `payment.capture: "manual"`. Its line items are delivered from then on. Capturing it again changes nothing. If there is nothing to capture, the refusal says what happened.',
    answer: order('The order, captured'),
    refusals: ['not-found', 'conflict'],
    run: (deps, call, { params }) => captureOrder(deps, call, { orderId: orderIdOf(params) }),
  }),
  defineRoute('voidOrder', {
    summary: 'Void the payment of an order',
    description:
      'For an order that was created with `payment.capture: "manual"` and is not captured. Nothing is delivered, and the whole payment goes back to its payer. Voiding it again changes nothing. If there is nothing to void, the refusal says what happened.',
    answer: order('The order, voided'),
    refusals: ['not-found', 'conflict'],
    run: (deps, call, { params }) => voidOrder(deps, call, { orderId: orderIdOf(params) }),
  }),
  defineRoute('createRefund', {
    summary: 'Refund an order',
    description:
      'Refunds a paid order to its payer: without line items and amount, all that is left of the price of delivered line items. Delivered tokens stay with their holder. More than can be refunded is refused with what can be.',
    body: CreateRefundBody,
    isBodyOptional: true,
    answer: { status: 201, schema: Refund, description: 'The refund, which the service sends' },
    refusals: ['input-invalid', 'not-found', 'conflict', 'body-too-large'],
    run: (deps, call, { params, body }) => createRefund(deps, call, { orderId: orderIdOf(params), body }),
  }),
  defineRoute('listRefunds', {
    summary: 'List the refunds of an order',
    description: 'Oldest first: the merchant’s, and those that the service owes by its own rules.',
    query: PageQuery,
    answer: { status: 200, schema: RefundList, description: 'A page of refunds' },
    refusals: ['input-invalid', 'not-found'],
    run: (deps, call, { params, query }) =>
      listRefunds(deps, call, { orderId: orderIdOf(params), page: toPage(query) }),
  }),
  defineRoute('getRefund', {
    summary: 'Get a refund',
    answer: { status: 200, schema: Refund, description: 'The refund as it is now' },
    refusals: ['not-found'],
    run: (deps, call, { params }) =>
      getRefund(deps, call, { orderId: orderIdOf(params), refundId: params.refundId ?? '' }),
  }),
  defineRoute('createShipment', {
    summary: 'Mark line items as shipped',
    description:
      'For a paid order with a shipping address. Without line items, all that are not shipped yet. The order lists it in `shipments` from then on, and its buyer gets an e-mail. A line item is in one shipment at most. It is an extension of the interface.',
    body: CreateShipmentBody,
    answer: { status: 201, schema: Shipment, description: 'The shipment' },
    refusals: ['input-invalid', 'not-found', 'conflict', 'body-too-large'],
    run: (deps, call, { params, body }) => createShipment(deps, call, { orderId: orderIdOf(params), body }),
  }),
  defineRoute('cancelShipment', {
    summary: 'Take back a shipment',
    description:
      'For a shipment that was reported by mistake. It stays in the order as `cancelled`, its buyer gets an e-mail, and its line items can be shipped again. Cancelling it again changes nothing. It is an extension of the interface.',
    body: CancelShipmentBody,
    isBodyOptional: true,
    answer: { status: 200, schema: Shipment, description: 'The shipment, cancelled' },
    refusals: ['input-invalid', 'not-found', 'body-too-large'],
    run: (deps, call, { params, body }) =>
      cancelShipment(deps, call, {
        orderId: orderIdOf(params),
        shipmentId: params.shipmentId ?? '',
        body,
      }),
  }),
  defineRoute('getTimeline', {
    summary: 'Get the timeline of an order',
    description:
      'What happened to an order, oldest first: its quotes, payments as their chain shows them, refunds, shipments, e-mails, and the webhooks about it. E-mails and webhooks are listed as long as they are kept. It is an extension of the interface.',
    answer: { status: 200, schema: OrderTimeline, description: 'What happened to the order' },
    refusals: ['not-found'],
    run: (deps, call, { params }) => getTimeline(deps, call, { orderId: orderIdOf(params) }),
  }),
  defineRoute('resendMail', {
    summary: 'Send an e-mail about an order once more',
    description:
      'It goes to the same address, with the same content. The ids of e-mails are in the order’s timeline. It is an extension of the interface.',
    answer: { status: 201, schema: ResentMail, description: 'The e-mail, which the service sends' },
    refusals: ['not-found'],
    run: (deps, call, { params }) =>
      resendMail(deps, call, { orderId: orderIdOf(params), mailId: params.mailId ?? '' }),
  }),
  defineRoute('resendOrderWebhook', {
    summary: 'Send a webhook event about an order once more',
    description:
      'From the first attempt, to all its endpoints or to one, with the same `webhook-id`. The ids of events are in the order’s timeline. It is an extension of the interface.',
    body: ResendWebhookBody,
    isBodyOptional: true,
    answer: { status: 201, schema: ResentWebhook, description: 'The event, which the service sends' },
    refusals: ['input-invalid', 'not-found', 'body-too-large'],
    run: (deps, call, { params, body }) =>
      resendOrderWebhook(deps, call, { orderId: orderIdOf(params), eventId: params.eventId ?? '', body }),
  }),
  defineRoute('getSummary', {
    summary: 'Get a summary of the orders',
    description:
      'The orders of the project since a time, by default since 24 hours, their sales (gross, refunded and net), and what needs a person. It is an extension of the interface.',
    query: SummaryQuery,
    answer: { status: 200, schema: OrderSummary, description: 'The summary' },
    refusals: ['input-invalid'],
    run: (deps, call, { query: { since } }) =>
      getSummary(deps, call, {
        since: since === undefined ? new Date(deps.now() - 24 * 60 * 60_000) : new Date(since),
      }),
  }),
]
