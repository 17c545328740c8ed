const minute = 60
const hour = 60 * minute
/** The delays after each failed attempt. @units seconds */
const delays = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]

/**
 * Returns when to send again after the attempt of this number, counted from 1, has failed, or `undefined`
 * after the last attempt. It is up to a tenth later than the schedule says, so that a receiver that comes
 * back does not get all events at once.
 *
 * @source answers.md "Webhooks"
 */
export const nextSendAtMs = (
  attempt: number,
  nowMs: number,
  randomBytes: (length: number) => Uint8Array,
): number | undefined => {
  const delay = delays[attempt - 1]
  if (delay === undefined) return undefined
  const jitter = Buffer.from(randomBytes(4)).readUInt32BE() / 2 ** 32 / 10
  return nowMs + Math.floor(delay * 1000 * (1 + jitter))
}
