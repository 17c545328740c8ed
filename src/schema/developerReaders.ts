// Made by `npm run fix` out of the schemas it imports; not to be edited.
import type { ApiKey, ApiKeyList, CreatedApiKey } from './apiKey.js'
import type { PaymentLink, PaymentLinkList } from './paymentLink.js'
import { list, maybe, number, object, type Reader, reader, text } from './read.js'
import type {
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointSecret,
} from './webhookEndpoint.js'

const isWebhookEndpoint = /* @__PURE__ */ object({
  endpointId: text,
  url: text,
  eventTypes: list(text),
  status: text,
  createdAt: text,
})

/** Reads what the schema WebhookEndpoint describes. */
export const readWebhookEndpoint: Reader<WebhookEndpoint> = /* @__PURE__ */ reader(isWebhookEndpoint)

const isWebhookEndpointSecret = /* @__PURE__ */ object({
  endpointId: text,
  url: text,
  eventTypes: list(text),
  status: text,
  createdAt: text,
  secret: text,
})

/** Reads what the schema WebhookEndpointSecret describes. */
export const readWebhookEndpointSecret: Reader<WebhookEndpointSecret> =
  /* @__PURE__ */ reader(isWebhookEndpointSecret)

const isWebhookEndpointList = /* @__PURE__ */ object({ data: list(isWebhookEndpoint) })

/** Reads what the schema WebhookEndpointList describes. */
export const readWebhookEndpointList: Reader<WebhookEndpointList> =
  /* @__PURE__ */ reader(isWebhookEndpointList)

const isApiKey = /* @__PURE__ */ object({
  keyId: text,
  name: maybe(text),
  kind: text,
  scopes: list(text),
  origins: list(text),
  status: text,
  createdAt: text,
  lastUsedAt: maybe(text),
  expiresAt: maybe(text),
  revokedAt: maybe(text),
})

/** Reads what the schema ApiKey describes. */
export const readApiKey: Reader<ApiKey> = /* @__PURE__ */ reader(isApiKey)

const isCreatedApiKey = /* @__PURE__ */ object({
  keyId: text,
  name: maybe(text),
  kind: text,
  scopes: list(text),
  origins: list(text),
  status: text,
  createdAt: text,
  lastUsedAt: maybe(text),
  expiresAt: maybe(text),
  revokedAt: maybe(text),
  key: text,
})

/** Reads what the schema CreatedApiKey describes. */
export const readCreatedApiKey: Reader<CreatedApiKey> = /* @__PURE__ */ reader(isCreatedApiKey)

const isApiKeyList = /* @__PURE__ */ object({ data: list(isApiKey) })

/** Reads what the schema ApiKeyList describes. */
export const readApiKeyList: Reader<ApiKeyList> = /* @__PURE__ */ reader(isApiKeyList)

const isWebhookDelivery = /* @__PURE__ */ object({
  endpointId: text,
  eventId: text,
  type: text,
  status: text,
  attemptCount: number,
  lastStatus: maybe(number),
  failure: maybe(text),
  nextAttemptAt: maybe(text),
  createdAt: text,
  body: maybe(text),
  attempts: maybe(
    list(object({ at: text, status: maybe(number), failure: maybe(text), durationMs: number })),
  ),
})

/** Reads what the schema WebhookDelivery describes. */
export const readWebhookDelivery: Reader<WebhookDelivery> = /* @__PURE__ */ reader(isWebhookDelivery)

const isWebhookDeliveryList = /* @__PURE__ */ object({ data: list(isWebhookDelivery) })

/** Reads what the schema WebhookDeliveryList describes. */
export const readWebhookDeliveryList: Reader<WebhookDeliveryList> =
  /* @__PURE__ */ reader(isWebhookDeliveryList)

const isPaymentLink = /* @__PURE__ */ object({
  paymentLinkId: text,
  url: text,
  status: text,
  title: maybe(text),
  lineItems: list(object({ collectionLocator: text, quantity: number })),
  maxQuantity: maybe(number),
  payment: maybe(object({ method: text, currency: text })),
  maxUses: maybe(number),
  uses: object({ paid: number, reserved: number }),
  expiresAt: maybe(text),
  successUrl: maybe(text),
  createdAt: text,
})

/** Reads what the schema PaymentLink describes. */
export const readPaymentLink: Reader<PaymentLink> = /* @__PURE__ */ reader(isPaymentLink)

const isPaymentLinkList = /* @__PURE__ */ object({ data: list(isPaymentLink) })

/** Reads what the schema PaymentLinkList describes. */
export const readPaymentLinkList: Reader<PaymentLinkList> = /* @__PURE__ */ reader(isPaymentLinkList)
