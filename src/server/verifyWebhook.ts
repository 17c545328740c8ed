import { type ReceivedEvent, readWebhook, type WebhookOptions, type WebhookRequest } from './readWebhook.js'

/**
 * Verifies that a webhook comes from the service, and returns its event. The service may deliver it more than
 * once, with the same `id` each time.
 *
 * @param request - The unread request, or its headers and raw body.
 * @param secret - The endpoint's signing secret, `whsec_…`; during a rotation, all valid ones.
 * @returns The event, with the `id` that its redeliveries share. It keeps fields and types that this version
 * does not know.
 * @throws {@link KassaError} `webhook.signature-invalid`, `webhook.timestamp-invalid`,
 * `webhook.headers-missing`, `webhook.body-invalid`, `webhook.body-too-large`, `webhook.secret-invalid`
 * @source interface.md "Events"; answers.md "Webhooks"
 * @example
 * ```ts
 * import { verifyWebhook } from 'kassa/server'
 *
 * export const readOrder = async (request: Request, secret: string, isKnown: (id: string) => boolean) => {
 *   const event = await verifyWebhook(request, secret)
 *   if (isKnown(event.id)) return undefined
 *   return event.type === 'orders.delivery.completed' ? event.data : undefined
 * }
 * ```
 */
export const verifyWebhook = async (
  request: WebhookRequest,
  secret: string | readonly string[],
  options?: WebhookOptions,
): Promise<ReceivedEvent> => {
  const { id, event } = await readWebhook(request, secret, options)
  return { ...event, id }
}
