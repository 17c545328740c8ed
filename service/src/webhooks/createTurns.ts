/** What the next message to an endpoint may do: go now, and say when it is over, or come again at a time. */
export type Turn = { end(): void } | { againAtMs: number }

/** `open` is when each message on its way was sent, oldest first. */
type Line = { open: Set<{ sentMs: number }>; lastMs: number; bookedMs: number }

/** How many messages may be on their way to one endpoint, and to one that let the last one wait for long. */
const most = 16
const mostWhenSlow = 2
const slowMs = 5_000
const leastWaitMs = 250
const mostWaitMs = 60_000

/**
 * Sees to it that no endpoint takes the places of all others by answering late or never. Whoever finds no place comes
 * again when one is likely to be free, those of one endpoint one after the other.
 */
export const createTurns = (now: () => number): { take(endpointId: string): Turn } => {
  const lines = new Map<string, Line>()
  return {
    take: (endpointId) => {
      const nowMs = now()
      const line = lines.get(endpointId) ?? { open: new Set(), lastMs: leastWaitMs, bookedMs: 0 }
      lines.set(endpointId, line)
      const places = line.lastMs > slowMs ? mostWhenSlow : most
      if (line.open.size < places) {
        const message = { sentMs: nowMs }
        line.open.add(message)
        return {
          end: () => {
            line.open.delete(message)
            line.lastMs = now() - nowMs
          },
        }
      }
      const [oldest = { sentMs: nowMs }] = line.open
      // The longer nothing is heard, the less often anybody asks.
      const answerMs = Math.max(line.lastMs, nowMs - oldest.sentMs)
      const waitMs = Math.max(leastWaitMs, line.bookedMs + answerMs / places - nowMs)
      line.bookedMs = nowMs + Math.min(waitMs, mostWaitMs)
      return { againAtMs: Math.ceil(line.bookedMs) }
    },
  }
}
