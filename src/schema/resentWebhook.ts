import * as z from 'zod/mini'
import { openObject } from './open.js'

/** Sends a webhook event again: to all its endpoints, or to one. */
export const ResendWebhookBody = z.strictObject({
  endpointId: z.optional(z.uuid({ error: 'expected the id of a webhook endpoint' })),
})
export type ResendWebhookBody = z.infer<typeof ResendWebhookBody>

/** A webhook event that is sent again, and the endpoints that it is sent to. */
export const ResentWebhook = openObject({
  eventId: z.string(),
  type: z.string(),
  endpointIds: z.array(z.string()),
})
export type ResentWebhook = z.infer<typeof ResentWebhook>
