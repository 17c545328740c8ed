import { webhookError } from '../errors/webhookError.js'

/** The headers of a request: of the web's own kind, or the plain object that Node and frameworks on it give. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** What a webhook says of itself beside its body. */
export type WebhookStamp = {
  /** The same for every attempt at delivering one event. */
  id: string
  /** When this attempt was made, in epoch seconds. */
  timestamp: string
  /** One or more signatures, each with its version, separated by spaces. */
  signature: string
}

const prefixes = ['webhook-', 'svix-'] as const
const names = ['id', 'timestamp', 'signature'] as const

/** By its method, not its class: frameworks bring classes of their own. */
const isWebHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === 'function'

const readHeader = (headers: WebhookHeaders, name: string): string => {
  if (isWebHeaders(headers)) return headers.get(name) ?? ''
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return (typeof value === 'string' ? value : value?.join(' ')) ?? ''
}

/**
 * Reads who sent a webhook, and when, by either of the two names its headers have.
 *
 * @throws {@link KassaError} `webhook.headers-missing`
 * @source answers.md "Webhooks"
 */
export const readWebhookHeaders = (headers: WebhookHeaders): WebhookStamp => {
  for (const prefix of prefixes) {
    const [id = '', timestamp = '', signature = ''] = names.map((name) =>
      readHeader(headers, `${prefix}${name}`),
    )
    if (id && timestamp && signature) return { id, timestamp, signature }
  }
  const missing = names.map((name) => `webhook-${name}`).filter((name) => !readHeader(headers, name))
  throw webhookError('webhook.headers-missing', { missing })
}
