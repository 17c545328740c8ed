import type { Client } from './client.js'

const offsets = new WeakMap<Client, number>()

// An answer's time is in whole seconds.
const grainMs = 1_000

/**
 * Learns this device's clock offset from an answer. The offset changes only when an answer contradicts it,
 * and only as far as the answer proves, so that a slow connection does not look like a wrong clock.
 */
export const readClock = (
  client: Client,
  response: Response,
  asked: { fromMs: number; toMs: number },
): void => {
  const dateMs = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(dateMs)) return
  const offsetMs = offsets.get(client) ?? 0
  const [fromMs, toMs] = [asked.fromMs - offsetMs, asked.toMs - offsetMs]
  if (fromMs > dateMs + grainMs) offsets.set(client, offsetMs + fromMs - dateMs - grainMs)
  else if (toMs < dateMs) offsets.set(client, offsetMs + toMs - dateMs)
}

/**
 * Returns the time by the service's clock, which decides when a quote expires. A buyer's clock may be minutes
 * off.
 *
 * @param nowMs - The time by this device's clock, in epoch milliseconds.
 * @returns Epoch milliseconds; `nowMs` itself if the service does not send its time.
 */
export const getServiceTime = (client: Client, nowMs: number): number => nowMs - (offsets.get(client) ?? 0)
