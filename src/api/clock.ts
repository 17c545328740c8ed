import type { Client } from './client.js'

const offsets = new WeakMap<Client, number>()

// An answer says its time in whole seconds.
const grainMs = 1_000

/**
 * Learns from an answer how far this device's clock is off. What is known changes only when an answer contradicts
 * it, and as little as it proves, so that a slow connection is not taken for a wrong clock.
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
 * The time by the service's clock, which decides when a quote ends: a buyer's own may be minutes off.
 *
 * @param nowMs - The time by this device's clock, in epoch milliseconds.
 * @returns Epoch milliseconds; `nowMs` itself where the service does not tell its time.
 */
export const getServiceTime = (client: Client, nowMs: number): number => nowMs - (offsets.get(client) ?? 0)
