import { PageQuery, toPage } from 'kassa/engine'
import {
  CreateWebhookEndpointBody,
  type WebhookEndpoint as Endpoint,
  RotateWebhookSecretBody,
  UpdateWebhookEndpointBody,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointSecret,
} from 'kassa/schema'
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  resendWebhook,
  sendTestEvent,
} from '#notify/webhooks/manageDeliveries.js'
import {
  createWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from '#notify/webhooks/manageEndpoints.js'
import { defineRoute, type Route } from './route.js'

type Params = Readonly<Record<string, string>>
const endpointOf = (params: Params) => ({ endpointId: params.endpointId ?? '' })
const deliveryOf = (params: Params) => ({ ...endpointOf(params), eventId: params.eventId ?? '' })
/** The path and the query of a URL may contain a secret. */
const nameHost = ({ url }: Endpoint): string => `host=${new URL(url).host}`
const nameState = (endpoint: Endpoint): string => `${nameHost(endpoint)} status=${endpoint.status}`

const extension = 'It is an extension of the interface.'

/** Operations on webhook endpoints, an extension of the interface. */
export const webhookEndpointRoutes: readonly Route[] = [
  defineRoute('listWebhookEndpoints', {
    summary: 'List webhook endpoints',
    description: `The project’s endpoints, oldest first, without their secrets. ${extension}`,
    query: PageQuery,
    answer: { status: 200, schema: WebhookEndpointList, description: 'A page of endpoints' },
    refusals: ['input-invalid'],
    run: (deps, call, { query }) => listWebhookEndpoints(deps, call, toPage(query)),
  }),
  defineRoute('createWebhookEndpoint', {
    summary: 'Create a webhook endpoint',
    description: `It receives events from now on. The secret that signs them is returned only here. ${extension}`,
    body: CreateWebhookEndpointBody,
    answer: { status: 201, schema: WebhookEndpointSecret, description: 'The endpoint and its secret' },
    refusals: ['input-invalid', 'body-too-large'],
    nameResource: (endpoint: Endpoint) => `new=${endpoint.endpointId} ${nameHost(endpoint)}`,
    run: (deps, call, { body }) => createWebhookEndpoint(deps, call, body),
  }),
  defineRoute('getWebhookEndpoint', {
    summary: 'Get a webhook endpoint',
    description: `Without its secret. ${extension}`,
    answer: { status: 200, schema: WebhookEndpoint, description: 'The endpoint' },
    refusals: ['not-found'],
    run: (deps, call, { params }) => getWebhookEndpoint(deps, call, endpointOf(params)),
  }),
  defineRoute('updateWebhookEndpoint', {
    summary: 'Update a webhook endpoint',
    description: `Changes its URL, which also applies to events that are being retried, or its event types, or disables or enables it. What waits to be delivered to an endpoint when it is disabled has failed, and can be sent again once it is enabled. ${extension}`,
    body: UpdateWebhookEndpointBody,
    answer: { status: 200, schema: WebhookEndpoint, description: 'The endpoint, changed' },
    refusals: ['input-invalid', 'not-found', 'body-too-large'],
    nameResource: nameState,
    run: (deps, call, { params, body }) =>
      updateWebhookEndpoint(deps, call, { ...body, ...endpointOf(params) }),
  }),
  defineRoute('rotateWebhookSecret', {
    summary: 'Rotate the secret of a webhook endpoint',
    description: `The new secret is returned only here. For \`keepHours\`, by default 24, events are signed with the old one too. ${extension}`,
    body: RotateWebhookSecretBody,
    isBodyOptional: true,
    answer: { status: 201, schema: WebhookEndpointSecret, description: 'The endpoint and its new secret' },
    refusals: ['input-invalid', 'not-found', 'body-too-large'],
    nameResource: nameHost,
    run: (deps, call, { params, body }) =>
      rotateWebhookSecret(deps, call, { ...body, ...endpointOf(params) }),
  }),
  defineRoute('sendTestEvent', {
    summary: 'Send a test event',
    description: `Sends an event of the type \`webhooks.test\`, whatever types the endpoint receives. ${extension}`,
    answer: { status: 201, schema: WebhookDelivery, description: 'The delivery, which the service begins' },
    refusals: ['not-found', 'conflict'],
    run: (deps, call, { params }) => sendTestEvent(deps, call, endpointOf(params)),
  }),
  defineRoute('listWebhookDeliveries', {
    summary: 'List the deliveries to a webhook endpoint',
    description: `Newest event first, as long as events are kept. ${extension}`,
    query: PageQuery,
    answer: { status: 200, schema: WebhookDeliveryList, description: 'A page of deliveries' },
    refusals: ['input-invalid', 'not-found'],
    run: (deps, call, { params, query }) =>
      listWebhookDeliveries(deps, call, { ...endpointOf(params), ...toPage(query) }),
  }),
  defineRoute('getWebhookDelivery', {
    summary: 'Get the delivery of an event',
    description: `With the body that the endpoint receives, and the last attempts. ${extension}`,
    answer: { status: 200, schema: WebhookDelivery, description: 'The delivery' },
    refusals: ['not-found'],
    run: (deps, call, { params }) => getWebhookDelivery(deps, call, deliveryOf(params)),
  }),
  defineRoute('resendWebhook', {
    summary: 'Send an event once more',
    description: `Under its \`webhook-id\`, from the first attempt on. ${extension}`,
    answer: { status: 201, schema: WebhookDelivery, description: 'The delivery, which the service begins' },
    refusals: ['not-found', 'conflict'],
    run: (deps, call, { params }) => resendWebhook(deps, call, deliveryOf(params)),
  }),
  defineRoute('removeWebhookEndpoint', {
    summary: 'Remove a webhook endpoint',
    description: `It receives nothing more, and its secrets are deleted. ${extension}`,
    answer: { status: 200, schema: WebhookEndpoint, description: 'The endpoint, as it was' },
    refusals: ['not-found'],
    nameResource: nameHost,
    run: (deps, call, { params }) => removeWebhookEndpoint(deps, call, endpointOf(params)),
  }),
]
