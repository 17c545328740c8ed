import { isKassaError } from '../errors/KassaError.js'
import type { WebhookEvent } from '../schema/webhook.js'
import { readWebhook, type VerifiedWebhook, type WebhookOptions } from './readWebhook.js'

/** Parameters of {@link createWebhookHandler}. */
export type CreateWebhookHandlerParameters = WebhookOptions & {
  /** The endpoint's signing secret, `whsec_…`; during a rotation, all valid ones. */
  secret: string | readonly string[]
  /**
   * Processes an event. The service may deliver it more than once, with the same `id` each time. If it
   * throws, or takes longer than 15 s, the service delivers the event again.
   */
  onEvent: (event: WebhookEvent, delivery: { id: string }) => void | Promise<void>
  /**
   * Receives why an event was not handled: what `onEvent` threw, or the {@link KassaError} of a refused
   * request. By default, errors that the sender did not cause go to the console.
   */
  onError?: ((error: unknown) => void) | undefined
}

const answer = (status: number, message: string, headers?: Record<string, string>): Response =>
  Response.json({ error: true, message }, { status, ...(headers && { headers }) })

/** Returns the answer to an error that the sender caused; undefined for any other. */
const refuse = (error: unknown): Response | undefined => {
  if (!isKassaError(error) || error.code === 'webhook.secret-invalid') return undefined
  if (error.code === 'webhook.body-too-large') return answer(413, error.message)
  return error.code.startsWith('webhook.') ? answer(400, error.message) : undefined
}

/**
 * Creates the endpoint that receives webhooks as a web-standard handler for a route of Next.js, Hono or a
 * worker.
 *
 * @returns Answers 200 once `onEvent` is done, 400 to an unsigned or outdated request, 405 to any method but
 * POST, 413 to a body that is too large, and 500 without details when `onEvent` throws or the secret is
 * invalid.
 * @source interface.md "Events"; answers.md "Webhooks"
 * @example
 * ```ts
 * import { createWebhookHandler } from 'kassa/server'
 *
 * export const POST = createWebhookHandler({
 *   secret: process.env.KASSA_WEBHOOK_SECRET ?? '',
 *   onEvent: (event) => {
 *     if (event.type === 'nfts.create.succeeded') console.log('minted', event.data.token?.tokenId)
 *   },
 * })
 * ```
 */
export const createWebhookHandler = ({
  secret,
  onEvent,
  onError,
  ...options
}: CreateWebhookHandlerParameters): ((request: Request) => Promise<Response>) => {
  const fail = (error: unknown): Response => {
    if (onError) onError(error)
    else console.error('A webhook was not handled.', error)
    return answer(500, 'The event was not handled. Send it again.')
  }
  return async (request) => {
    if (request.method !== 'POST') return answer(405, 'Send webhooks with POST.', { allow: 'POST' })
    let verified: VerifiedWebhook
    try {
      verified = await readWebhook(request, secret, options)
    } catch (error) {
      const refusal = refuse(error)
      if (!refusal) return fail(error)
      onError?.(error)
      return refusal
    }
    try {
      await onEvent(verified.event, { id: verified.id })
    } catch (error) {
      return fail(error)
    }
    return new Response(null, { status: 200 })
  }
}
