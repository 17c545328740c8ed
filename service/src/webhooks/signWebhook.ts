import { Webhook } from 'standardwebhooks'

/**
 * Signs an event as Standard Webhooks define it, once per secret, and repeats the headers under svix's names.
 * A receiver that knows any of the secrets can verify it with either library.
 *
 * @returns The headers to send it with.
 * @source answers.md "Webhooks"
 */
export const signWebhook = (
  { id, body }: { id: string; body: string },
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> => {
  const signature = secrets.map((secret) => new Webhook(secret).sign(id, new Date(nowMs), body)).join(' ')
  const signed = { id, timestamp: `${Math.floor(nowMs / 1000)}`, signature }
  const named = ['webhook', 'svix'].flatMap((prefix) =>
    Object.entries(signed).map(([name, value]) => [`${prefix}-${name}`, value]),
  )
  return { 'content-type': 'application/json', 'user-agent': 'kassa-webhooks', ...Object.fromEntries(named) }
}
