/** How long after each refusal by a chain it is tried again: a full block, a paused token, a bug in a node pass. */
const patientMs = [15_000, 2 * 60_000, 15 * 60_000]

/** The same for what nobody has paid for: whoever waits for it hears how it ended within a minute. */
export const promptMs: readonly number[] = [2_000, 10_000]

/** When to try again what the chain refused at an attempt, counted from 1; undefined when it was tried enough. */
export const nextAttemptAtMs = (
  attempt: number,
  nowMs: number,
  delaysMs: readonly number[] = patientMs,
): number | undefined => {
  const delayMs = delaysMs[attempt - 1]
  return delayMs === undefined ? undefined : nowMs + delayMs
}
