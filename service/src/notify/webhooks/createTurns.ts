/** The turn of the next message to an endpoint: it goes now and reports its end, or tries again at a time. */
export type Turn = { end(): void } | { againAtMs: number }

/** `open` has the send time of each message in flight, oldest first. */
type Line = { open: Set<{ sentMs: number }>; lastMs: number; bookedMs: number }

/** How many messages may be in flight to one endpoint, and to one whose last answer was slow. */
const most = 16
const maxWhenSlow = 2
const slowMs = 5_000
const minWaitMs = 250
/**
 * How far ahead the queue is planned by the endpoint's answer times. Past that, it grows by a fixed step per
 * waiting message.
 */
const foreseenMs = 60_000
const stepBeyondMs = 100

/**
 * Limits the messages in flight to each endpoint, so that one that answers late or never cannot occupy all
 * workers. A message without a place tries again when one is likely to be free. The messages of one endpoint
 * follow each other, and the last one's delay grows with the queue, so that at most ten a second try, however
 * many wait.
 */
export const createTurns = (now: () => number): { take(endpointId: string): Turn } => {
  const lines = new Map<string, Line>()
  return {
    take: (endpointId) => {
      const nowMs = now()
      const line = lines.get(endpointId) ?? { open: new Set(), lastMs: minWaitMs, bookedMs: 0 }
      lines.set(endpointId, line)
      const places = line.lastMs > slowMs ? maxWhenSlow : most
      if (line.open.size < places) {
        const message = { sentMs: nowMs }
        line.open.add(message)
        return {
          end: () => {
            line.open.delete(message)
            const answerMs = now() - nowMs
            // It answers again, so new messages need not wait for the end of its old queue.
            if (line.lastMs > slowMs && answerMs <= slowMs) line.bookedMs = 0
            line.lastMs = answerMs
          },
        }
      }
      const [oldest = { sentMs: nowMs }] = line.open
      // The longer an endpoint is silent, the less often messages try.
      const answerMs = Math.max(line.lastMs, nowMs - oldest.sentMs)
      const lastMs = Math.max(line.bookedMs, nowMs)
      const stepMs = answerMs / places
      const isForeseen = lastMs + stepMs <= nowMs + foreseenMs
      const nextMs = lastMs + (isForeseen ? stepMs : Math.min(stepMs, stepBeyondMs))
      line.bookedMs = Math.max(nowMs + minWaitMs, nextMs)
      return { againAtMs: Math.ceil(line.bookedMs) }
    },
  }
}
