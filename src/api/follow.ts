import { type AnyKassaError, isKassaError } from '../errors/KassaError.js'
import { startTimer, wait } from './wait.js'

/** How long to follow something, and how often to ask. */
export type FollowParameters<Thing> = {
  signal?: AbortSignal | undefined
  /** How long to wait at most: 5 minutes by default. */
  timeoutMs?: number | undefined
  /** How long to wait at least between two questions: 500 ms by default. It grows to 5 s. */
  pollMs?: number | undefined
  /** Hears of it whenever something of it has changed, the first time too. */
  onUpdate?: ((thing: Thing) => void) | undefined
  /** A number from 0 to 1 that spreads the questions of many; stands in for `Math.random`. */
  random?: (() => number) | undefined
}

/** What is followed: how to ask for it, and when that is over. */
export type Followed<Thing> = {
  ask(signal: AbortSignal): Promise<Thing>
  hasEnded(thing: Thing): boolean
  /** Made when the time is over; `cause` is the last failure to ask. */
  onLate(timeoutMs: number, cause: AnyKassaError | undefined): unknown
}

const shortestMs = 50
const longestMs = 5_000

const transient: readonly string[] = ['api.unreachable', 'api.timeout', 'api.unavailable', 'api.rate-limited']

const isTransient = (error: unknown): error is AnyKassaError =>
  isKassaError(error) && transient.includes(error.code)

type Asked<Thing> = { thing: Thing } | { trouble: AnyKassaError }

/** Asks once; a failure that may pass is an answer too. */
const askOnce = async <Thing>(ask: Followed<Thing>['ask'], signal: AbortSignal): Promise<Asked<Thing>> => {
  try {
    return { thing: await ask(signal) }
  } catch (error) {
    if (isTransient(error)) return { trouble: error }
    throw error
  }
}

const getRetryAfterMs = ({ context }: AnyKassaError): number =>
  ('retryAfterMs' in context && context.retryAfterMs) || 0

/** Asks for something again and again until it has ended, ever more seldom, while the service is away too. */
export const follow = async <Thing>(
  { ask, hasEnded, onLate }: Followed<Thing>,
  parameters: FollowParameters<Thing>,
): Promise<Thing> => {
  const { signal, timeoutMs = 300_000, onUpdate, random = Math.random } = parameters
  const pollMs = Math.max(shortestMs, parameters.pollMs ?? 500)
  let trouble: AnyKassaError | undefined
  const ending = new AbortController()
  const giveUp = (): void => ending.abort(signal?.reason)
  const timer = startTimer(() => ending.abort(onLate(timeoutMs, trouble)), timeoutMs)
  if (signal?.aborted) giveUp()
  signal?.addEventListener('abort', giveUp)
  try {
    let known = ''
    let delayMs = pollMs
    for (;;) {
      const asked = await askOnce(ask, ending.signal)
      trouble = 'trouble' in asked ? asked.trouble : undefined
      if ('thing' in asked) {
        const seen = JSON.stringify(asked.thing)
        if (seen !== known) onUpdate?.(asked.thing)
        known = seen
        if (hasEnded(asked.thing)) return asked.thing
      }
      await wait(Math.max(delayMs, trouble ? getRetryAfterMs(trouble) : 0), ending.signal)
      delayMs = Math.min(Math.max(longestMs, pollMs), pollMs + random() * (3 * delayMs - pollMs))
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}
