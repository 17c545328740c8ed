import { PageQuery, toPage } from 'kassa/engine'
import { CreatePaymentLinkBody, PaymentLink, PaymentLinkList, UpdatePaymentLinkBody } from 'kassa/schema'
import { createPaymentLink } from '#sale/links/createPaymentLink.js'
import { getPaymentLink, listPaymentLinks } from '#sale/links/readLinks.js'
import { updatePaymentLink } from '#sale/links/updatePaymentLink.js'
import { defineRoute, type Route } from './route.js'

const extension = 'It is an extension of the interface.'
const linkOf = (params: Readonly<Record<string, string>>) => ({ paymentLinkId: params.paymentLinkId ?? '' })

/** Operations on payment links, an extension of the interface. */
export const paymentLinkRoutes: readonly Route[] = [
  defineRoute('createPaymentLink', {
    summary: 'Create a payment link',
    description: `A page of this service at \`url\`, on which anyone who knows the address orders and pays, without a storefront. It sells \`lineItems\`, or the line items of the order \`orderId\` again, at the price of the day. \`successUrl\` is a page of an origin that a client key of the project allows. ${extension}`,
    body: CreatePaymentLinkBody,
    answer: { status: 201, schema: PaymentLink, description: 'The payment link' },
    refusals: ['input-invalid', 'not-found', 'unprocessable', 'body-too-large'],
    nameResource: ({ paymentLinkId }: PaymentLink) => `new=${paymentLinkId}`,
    run: (deps, call, { body }) => createPaymentLink(deps, call, body),
  }),
  defineRoute('listPaymentLinks', {
    summary: 'List payment links',
    description: `The project’s links, newest first, with how often each was used. ${extension}`,
    query: PageQuery,
    answer: { status: 200, schema: PaymentLinkList, description: 'A page of payment links' },
    refusals: ['input-invalid'],
    run: (deps, call, { query }) => listPaymentLinks(deps, call, toPage(query)),
  }),
  defineRoute('getPaymentLink', {
    summary: 'Get a payment link',
    description: `With how often it was used. ${extension}`,
    answer: { status: 200, schema: PaymentLink, description: 'The payment link' },
    refusals: ['not-found'],
    run: (deps, call, { params }) => getPaymentLink(deps, call, linkOf(params)),
  }),
  defineRoute('updatePaymentLink', {
    summary: 'Update a payment link',
    description: `Changes its title, its limits or its success URL, or deactivates or activates it. An order that a buyer has begun can be paid as long as its quote is valid. ${extension}`,
    body: UpdatePaymentLinkBody,
    answer: { status: 200, schema: PaymentLink, description: 'The payment link, changed' },
    refusals: ['input-invalid', 'not-found', 'body-too-large'],
    nameResource: ({ status }: PaymentLink) => `status=${status}`,
    run: (deps, call, { params, body }) => updatePaymentLink(deps, call, { ...body, ...linkOf(params) }),
  }),
]
