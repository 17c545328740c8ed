import * as z from 'zod/mini'
import { keepHours } from './keepHours.js'
import { maybe } from './maybe.js'
import {
  type EndpointStatus,
  endpointStatuses,
  type WebhookDeliveryStatus,
  type WebhookEventType,
  webhookEventTypes,
} from './members.js'
import { known, openObject } from './open.js'
import { text } from './text.js'

const fields = {
  endpointId: z.string(),
  url: z.string(),
  /** The types of events that it receives. */
  eventTypes: z.array(known<WebhookEventType>()),
  /** A disabled endpoint receives nothing, also none of what happened meanwhile. */
  status: known<EndpointStatus>(),
  createdAt: z.string(),
}

/** A webhook endpoint of a project, without its secret. */
export const WebhookEndpoint = openObject(fields)
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

/** A page of a project's webhook endpoints, oldest first. */
export const WebhookEndpointList = openObject({ data: z.array(WebhookEndpoint) })
export type WebhookEndpointList = z.infer<typeof WebhookEndpointList>

/** A webhook endpoint with a new secret, which is shown only this once. */
export const WebhookEndpointSecret = openObject({ ...fields, secret: z.string() })
export type WebhookEndpointSecret = z.infer<typeof WebhookEndpointSecret>

const Url = text(2048)
const EventTypes = z
  .array(z.enum(webhookEventTypes, 'expected a type of event such as "orders.payment.succeeded"'))
  .check(
    z.minLength(1, 'expected at least one type of event'),
    z.maxLength(100, 'expected at most 100 types'),
  )

/** A request for a webhook endpoint. In production, the URL is https and has a public address. */
export const CreateWebhookEndpointBody = z.object({ url: Url, eventTypes: EventTypes })
export type CreateWebhookEndpointBody = z.infer<typeof CreateWebhookEndpointBody>

/** A change of a webhook endpoint: omitted fields stay. Any other field is refused. */
export const UpdateWebhookEndpointBody = z
  .strictObject({
    url: z.optional(Url),
    eventTypes: z.optional(EventTypes),
    status: z.optional(z.enum(endpointStatuses, 'expected "enabled" or "disabled"')),
  })
  .check(
    z.refine(
      (changes) => Object.values(changes).some((change) => change !== undefined),
      'expected at least one of url, eventTypes, status',
    ),
  )
export type UpdateWebhookEndpointBody = z.infer<typeof UpdateWebhookEndpointBody>

/** How long events are also signed with the old secret, by default 24 hours. */
export const RotateWebhookSecretBody = z.object({ keepHours: z.optional(keepHours(720)) })
export type RotateWebhookSecretBody = z.infer<typeof RotateWebhookSecretBody>

/** One attempt to deliver an event. */
export const WebhookAttempt = openObject({
  /** ISO 8601. */
  at: z.string(),
  /** The status of the answer; absent without one. */
  status: maybe(z.number()),
  /** Why the event did not arrive, without anything of the answer; absent if it arrived. */
  failure: maybe(z.string()),
  /** @units milliseconds */
  durationMs: z.number(),
})
export type WebhookAttempt = z.infer<typeof WebhookAttempt>

/** The delivery of an event to an endpoint. */
export const WebhookDelivery = openObject({
  endpointId: z.string(),
  /** The `webhook-id` that the endpoint receives. */
  eventId: z.string(),
  /** `webhooks.test` is of the event that tries out an endpoint. */
  type: known<WebhookEventType | 'webhooks.test'>(),
  status: known<WebhookDeliveryStatus>(),
  /** How many attempts there were since it was first sent, or last sent again. */
  attemptCount: z.number(),
  /** The status of the last answer. */
  lastStatus: maybe(z.number()),
  /** Why the last attempt failed. */
  failure: maybe(z.string()),
  nextAttemptAt: maybe(z.string()),
  createdAt: z.string(),
  /** The body that the endpoint receives; only of a single delivery. */
  body: maybe(z.string()),
  /** The last 50 attempts, newest first; only of a single delivery. */
  attempts: maybe(z.array(WebhookAttempt)),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** A page of an endpoint's deliveries, newest event first. */
export const WebhookDeliveryList = openObject({ data: z.array(WebhookDelivery) })
export type WebhookDeliveryList = z.infer<typeof WebhookDeliveryList>
