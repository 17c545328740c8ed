import { type WebhookEventType, webhookEventTypes } from 'kassa/schema'
import { ServiceError } from '../errors.js'

const isEventType = (text: string): text is WebhookEventType =>
  webhookEventTypes.some((type) => type === text)

/**
 * Reads the event types that an endpoint subscribes to; `all` stands for every type.
 *
 * @throws {@link ServiceError} `input-invalid`.
 */
export const readEventTypes = (names: readonly string[]): readonly WebhookEventType[] => {
  if (names.length === 1 && names[0] === 'all') return webhookEventTypes
  if (!names.length) throw new ServiceError('input-invalid', 'types: expected at least one, or all')
  return names.map((name) => {
    if (isEventType(name)) return name
    throw new ServiceError('input-invalid', `types: there is no event type ${name}`)
  })
}
