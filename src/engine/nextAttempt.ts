/**
 * How long after each refusal by a chain the next attempt comes. A full block, a paused token or a bug in a
 * node passes.
 */
const patientMs = [15_000, 2 * 60_000, 15 * 60_000]

/** The delays for unpaid operations, whose callers get the result within a minute. */
export const promptMs: readonly number[] = [2_000, 10_000]

/** Returns when to try again after a refused attempt, counted from 1, or `undefined` after the last one. */
export const nextAttemptAtMs = (
  attempt: number,
  nowMs: number,
  delaysMs: readonly number[] = patientMs,
): number | undefined => {
  const delayMs = delaysMs[attempt - 1]
  return delayMs === undefined ? undefined : nowMs + delayMs
}
