import { webhookError } from '../errors/webhookError.js'
import type { WebhookStamp } from './webhookHeaders.js'

/** Decodes base64; undefined if it is invalid. */
export const readBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
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
    throw webhookError('webhook.secret-invalid', { reason: 'what follows whsec_ is not base64' })
  return key
}

/**
 * Signs a webhook with a secret: HMAC-SHA256 over `id.timestamp.body`.
 *
 * @throws {@link KassaError} `webhook.secret-invalid`
 * @source answers.md "Webhooks"
 */
export const signWebhook = async (
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
