import { webhookError } from '../errors/webhookError.js'

/** A request's headers: a web `Headers` object, or the plain object of Node and its frameworks. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** A webhook's signed metadata from its headers. */
export type WebhookStamp = {
  /** The same for every delivery attempt of one event. */
  id: string
  /** The time of this attempt, in epoch seconds. */
  timestamp: string
  /** One or more signatures with their versions, separated by spaces. */
  signature: string
}

const prefixes = ['webhook-', 'svix-'] as const
const names = ['id', 'timestamp', 'signature'] as const

/** Checked by its method, not its class, because frameworks bring their own classes. */
const isWebHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers.get === 'function'

const readHeader = (headers: WebhookHeaders, name: string): string => {
  if (isWebHeaders(headers)) return headers.get(name) ?? ''
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return (typeof value === 'string' ? value : value?.join(' ')) ?? ''
}

/**
 * Reads a webhook's id, time and signature, by either of the two names of its headers.
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
