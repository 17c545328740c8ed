import {
  CreateOrderAnswer,
  CreateOrderBody,
  EditOrderBody,
  Order,
  OrderList,
  ReportPaymentBody,
} from 'kassa/schema'
import * as z from 'zod/mini'
import { createOrder } from '../orders/createOrder.js'
import { getOrder, listOrders } from '../orders/readOrders.js'
import { reportPayment } from '../orders/reportPayment.js'
import { editOrder, refreshOrder } from '../orders/requoteOrder.js'
import { defineRoute, type Route } from './route.js'

const ListOrdersQuery = z.object({
  cursor: z.optional(z.string().check(z.minLength(1, 'expected a cursor'), z.maxLength(500, 'too long'))),
  limit: z._default(
    z.string().check(z.regex(/^([1-9]\d?|100)$/, 'expected a whole number from 1 to 100')),
    '30',
  ),
})

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
    description: 'The project’s orders, newest first.',
    query: ListOrdersQuery,
    answer: { status: 200, schema: OrderList, description: 'A page of orders' },
    refusals: ['input-invalid'],
    run: (deps, call, { query }) =>
      listOrders(deps, call, {
        limit: Number(query.limit),
        ...(query.cursor !== undefined && { cursor: query.cursor }),
      }),
  }),
  defineRoute('getOrder', {
    summary: 'Get an order',
    answer: order('The order as it is now'),
    refusals: ['not-found', 'timeout'],
    isRevalidated: true,
    deadlineMs: 10_000,
    run: (deps, call, { params }) => getOrder(deps, call, { orderId: orderIdOf(params) }),
  }),
  defineRoute('editOrder', {
    summary: 'Edit an order',
    description:
      'Changes recipient, payment or locale of an order for which no payment was seen, and quotes it again.',
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
]
