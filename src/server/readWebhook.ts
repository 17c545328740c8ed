import type * as z from 'zod/mini'
import { webhookError } from '../errors/webhookError.js'
import { WebhookEvent } from '../schema/webhook.js'
import { type RawBody, readBytes } from './readJsonBody.js'
import { readWebhookHeaders, type WebhookHeaders, type WebhookStamp } from './webhookSignature.js'

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

/** Decodes base64; undefined if it is invalid. */
const readBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

const readSecret = (secret: string): Uint8Array<ArrayBuffer> => {
  if (!secret.startsWith('whsec_'))
    throw webhookError('webhook.secret-invalid', { reason: 'it does not begin with whsec_' })
  const key = readBase64(secret.slice('whsec_'.length))
  if (!key?.length)
    throw webhookError('webhook.secret-invalid', { reason: 'the part after whsec_ is not base64' })
  return key
}

/**
 * Signs a webhook with a secret: HMAC-SHA256 over `id.timestamp.body`.
 *
 * @throws {@link KassaError} `webhook.secret-invalid`
 * @source answers.md "Webhooks"
 */
const signWebhook = async (
  secret: string,
  { id, timestamp }: WebhookStamp,
  body: Uint8Array,
): Promise<Uint8Array> => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', readSecret(secret), algorithm, false, ['sign'])
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
}

/** An unread web request, or the headers and raw body where a framework provides those. */
export type WebhookRequest = Request | { headers: WebhookHeaders; body: RawBody }

/** The limits of a webhook, beside its signature. */
export type WebhookOptions = {
  /** The largest difference between its timestamp and now, in either direction. */
  toleranceSeconds?: number | undefined
  /** The largest body. */
  maxBytes?: number | undefined
  /** The time in epoch milliseconds. Replaces `Date.now`. */
  now?: (() => number) | undefined
}

/** A verified event, and the id that its redeliveries share. */
export type VerifiedWebhook = { id: string; event: WebhookEvent }

/**
 * A received event, with the id that its redeliveries share. Store the ids of the events you have processed.
 */
export type ReceivedEvent = WebhookEvent & {
  /** The webhook's id, `msg_…`, the same for every delivery attempt of one event. */
  id: string
}

const checkTime = (timestamp: string, { toleranceSeconds = 300, now = Date.now }: WebhookOptions): void => {
  if (!/^\d{1,12}$/.test(timestamp))
    throw webhookError('webhook.timestamp-invalid', { reason: 'not a number of seconds' })
  const ageSeconds = Math.floor(now() / 1_000) - Number(timestamp)
  // Written so that a tolerance of NaN refuses everything.
  if (Math.abs(ageSeconds) <= toleranceSeconds) return
  throw webhookError('webhook.timestamp-invalid', {
    reason: ageSeconds > 0 ? 'too long ago' : 'in the future',
  })
}

/** Compares in constant time, so that the duration does not reveal how much was right. */
const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.reduce((sum, byte, index) => sum | (byte ^ (other[index] ?? 0)), 0) === 0

/** Returns the path of an event's first fault, such as `data.quote.status`. */
const findFault = (issue: z.core.$ZodIssue | undefined): string => {
  const members = issue?.code === 'invalid_union' ? issue.errors : []
  const ofItsType = members.find((issues) => issues.every(({ path }) => path[0] !== 'type'))
  return ofItsType?.[0]?.path.join('.') || 'type'
}

const readEvent = (bytes: Uint8Array): WebhookEvent => {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    // The parser's own error quotes the body.
    throw webhookError('webhook.body-invalid', { reason: 'it is not JSON' })
  }
  const parsed = WebhookEvent.safeParse(json)
  if (parsed.success) return parsed.data
  throw webhookError('webhook.body-invalid', {
    reason: `${findFault(parsed.error.issues[0])} is missing or malformed`,
  })
}

/**
 * Verifies a webhook and returns its event and its id.
 *
 * @throws {@link KassaError} any `webhook.*` code
 * @source answers.md "Webhooks"
 */
export const readWebhook = async (
  request: WebhookRequest,
  secret: string | readonly string[],
  options: WebhookOptions = {},
): Promise<VerifiedWebhook> => {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!secrets.length) throw webhookError('webhook.secret-invalid', { reason: 'it is missing' })
  const stamp = readWebhookHeaders(request.headers)
  checkTime(stamp.timestamp, options)
  const bytes = await readBytes(request, options.maxBytes ?? 1_048_576)
  const given = stamp.signature.split(' ').flatMap((entry) => {
    const [, base64] = /^v1,(.+)$/.exec(entry) ?? []
    return (base64 && readBase64(base64)) || []
  })
  const made = await Promise.all(secrets.map((one) => signWebhook(one, stamp, bytes)))
  const isSigned = made.some((right) => given.some((signature) => isSame(signature, right)))
  if (!isSigned) throw webhookError('webhook.signature-invalid', {})
  return { id: stamp.id, event: readEvent(bytes) }
}
