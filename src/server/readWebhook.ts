import type * as z from 'zod/mini'
import { webhookError } from '../errors/webhookError.js'
import { WebhookEvent } from '../schema/webhook.js'
import { type RawBody, readBytes } from './readBytes.js'
import { readBase64, signWebhook } from './signWebhook.js'
import { readWebhookHeaders, type WebhookHeaders } from './webhookHeaders.js'

/** A request as it came: the web's own, or its headers and raw body where a framework hands out those. */
export type WebhookRequest = Request | { headers: WebhookHeaders; body: RawBody }

/** What a webhook may be, beyond signed. */
export type WebhookOptions = {
  /** How far from now it may have been sent, to either side. */
  toleranceSeconds?: number | undefined
  /** How large its body may be. */
  maxBytes?: number | undefined
  /** The time in epoch milliseconds; stands in for `Date.now`. */
  now?: (() => number) | undefined
}

/** An event that was verified, and what its repetitions are recognised by. */
export type VerifiedWebhook = { id: string; event: WebhookEvent }

/** An event as it was received, with the id under which it may come again: keep the ids of what you have done. */
export type ReceivedEvent = WebhookEvent & {
  /** The webhook's id, `msg_…`: the same for every attempt at delivering one event. */
  id: string
}

const checkTime = (timestamp: string, { toleranceSeconds = 300, now = Date.now }: WebhookOptions): void => {
  if (!/^\d{1,12}$/.test(timestamp))
    throw webhookError('webhook.timestamp-invalid', { reason: 'no number of seconds' })
  const ageSeconds = Math.floor(now() / 1_000) - Number(timestamp)
  // Put so that a tolerance that is no number lets nothing pass.
  if (Math.abs(ageSeconds) <= toleranceSeconds) return
  throw webhookError('webhook.timestamp-invalid', {
    reason: ageSeconds > 0 ? 'too long ago' : 'in the future',
  })
}

/** Compares in a time that does not tell how much was right. */
const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.reduce((sum, byte, index) => sum | (byte ^ (other[index] ?? 0)), 0) === 0

/** Where an event is not what its type says, such as `data.quote.status`. */
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
    throw webhookError('webhook.body-invalid', { reason: 'it is no JSON' })
  }
  const parsed = WebhookEvent.safeParse(json)
  if (parsed.success) return parsed.data
  throw webhookError('webhook.body-invalid', {
    reason: `${findFault(parsed.error.issues[0])} is missing or malformed`,
  })
}

/**
 * Verifies a webhook and reads its event and its id.
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
  if (!secrets.length) throw webhookError('webhook.secret-invalid', { reason: 'there is none' })
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
