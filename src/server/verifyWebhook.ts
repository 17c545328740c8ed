import type { WebhookEvent } from '../schema/webhook.js'
import { readWebhook, type WebhookOptions, type WebhookRequest } from './readWebhook.js'

/**
 * Verifies that a webhook comes from the service, and reads its event. It may come more than once: the header
 * `webhook-id` is the same each time.
 *
 * @param request - The request, unread; or its headers and its raw body.
 * @param secret - The endpoint's signing secret, `whsec_…`; during a rotation all that count.
 * @returns The event; fields and types that this version does not know are kept.
 * @throws {@link KassaError} `webhook.signature-invalid`, `webhook.timestamp-invalid`, `webhook.headers-missing`,
 * `webhook.body-invalid`, `webhook.body-too-large`, `webhook.secret-invalid`
 * @source interface.md "Events"; answers.md "Webhooks"
 * @example
 * ```ts
 * import { verifyWebhook } from 'kassa/server'
 *
 * export const readOrder = async (request: Request, secret: string) => {
 *   const event = await verifyWebhook(request, secret)
 *   return event.type === 'orders.delivery.completed' ? event.data : undefined
 * }
 * ```
 */
export const verifyWebhook = async (
  request: WebhookRequest,
  secret: string | readonly string[],
  options?: WebhookOptions,
): Promise<WebhookEvent> => (await readWebhook(request, secret, options)).event
