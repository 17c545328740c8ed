/** How long after each refusal by a chain it is tried again: a full block, a paused token, a bug in a node pass. */
const delaysMs = [15_000, 2 * 60_000, 15 * 60_000]

/** When to try again what the chain refused at an attempt, counted from 1; undefined when it was tried enough. */
export const nextAttemptAtMs = (attempt: number, nowMs: number): number | undefined => {
  const delayMs = delaysMs[attempt - 1]
  return delayMs === undefined ? undefined : nowMs + delayMs
}
