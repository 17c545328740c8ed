import { isKassaError } from '../errors/KassaError.js'
import type { WebhookEvent } from '../schema/webhook.js'
import { readWebhook, type VerifiedWebhook, type WebhookOptions } from './readWebhook.js'

/** Parameters of {@link createWebhookHandler}. */
export type CreateWebhookHandlerParameters = WebhookOptions & {
  /** The endpoint's signing secret, `whsec_…`; during a rotation all that count. */
  secret: string | readonly string[]
  /**
   * Does what the event asks for. It may come more than once, with the same `id` each time. What it throws has the
   * service send the event again; so does taking longer than 15 s.
   */
  onEvent: (event: WebhookEvent, delivery: { id: string }) => void | Promise<void>
  /**
   * Hears why an event was not handled: what `onEvent` threw, or the {@link KassaError} of a request that was
   * refused. Without it, what was not the sender's fault goes to the console.
   */
  onError?: ((error: unknown) => void) | undefined
}

const answer = (status: number, message: string, headers?: Record<string, string>): Response =>
  Response.json({ error: true, message }, { status, ...(headers && { headers }) })

/** What a sender is told of an error; undefined when it is none of the sender's. */
const refuse = (error: unknown): Response | undefined => {
  if (!isKassaError(error) || error.code === 'webhook.secret-invalid') return undefined
  if (error.code === 'webhook.body-too-large') return answer(413, error.message)
  return error.code.startsWith('webhook.') ? answer(400, error.message) : undefined
}

/**
 * Makes the endpoint that receives webhooks, of the web's own kind: a route handler of Next.js, Hono, a worker.
 *
 * @returns Answers 200 once `onEvent` is done, 400 to what is not signed or too old, 405 to anything but POST, 413
 * to what is too large, and 500 without details when `onEvent` throws or the secret is none.
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
    return answer(500, 'The event was not handled; please send it again.')
  }
  return async (request) => {
    if (request.method !== 'POST') return answer(405, 'Webhooks are sent by POST.', { allow: 'POST' })
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
