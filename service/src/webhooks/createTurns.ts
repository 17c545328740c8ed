/** What the next message to an endpoint may do: go now, and say when it is over, or come again at a time. */
export type Turn = { end(): void } | { againAtMs: number }

/** `open` is when each message on its way was sent, oldest first. */
type Line = { open: Set<{ sentMs: number }>; lastMs: number; bookedMs: number }

/** How many messages may be on their way to one endpoint, and to one that let the last one wait for long. */
const most = 16
const mostWhenSlow = 2
const slowMs = 5_000
const leastWaitMs = 250
/** How far ahead the line goes by what an endpoint's answers take; beyond it, it is as long as those who wait. */
const foreseenMs = 60_000
const stepBeyondMs = 100

/**
 * Sees to it that no endpoint takes the places of all others by answering late or never. Whoever finds no place comes
 * again when one is likely to be free, those of one endpoint one after the other; the longer their line, the later the
 * last of them, so that ten a second ask at most, however many wait.
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
            const answerMs = now() - nowMs
            // It answers again: those who come now need not wait until the last of its old line has come.
            if (line.lastMs > slowMs && answerMs <= slowMs) line.bookedMs = 0
            line.lastMs = answerMs
          },
        }
      }
      const [oldest = { sentMs: nowMs }] = line.open
      // The longer nothing is heard, the less often anybody asks.
      const answerMs = Math.max(line.lastMs, nowMs - oldest.sentMs)
      const lastMs = Math.max(line.bookedMs, nowMs)
      const stepMs = answerMs / places
      const isForeseen = lastMs + stepMs <= nowMs + foreseenMs
      const nextMs = lastMs + (isForeseen ? stepMs : Math.min(stepMs, stepBeyondMs))
      line.bookedMs = Math.max(nowMs + leastWaitMs, nextMs)
      return { againAtMs: Math.ceil(line.bookedMs) }
    },
  }
}
