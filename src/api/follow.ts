import { type AnyKassaError, isKassaError } from '../errors/KassaError.js'

/** Starts a timer. A delay too long for the platform, which would fire at once, is capped. */
const startTimer = (work: () => void, ms: number): ReturnType<typeof setTimeout> =>
  setTimeout(work, Math.min(ms, 2 ** 31 - 1))

/** Waits. An abort by `signal` rejects with the signal's own reason. */
const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = startTimer(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
  })

/** How long to wait, and how often to poll. */
export type FollowParameters<Thing> = {
  signal?: AbortSignal | undefined
  /** The longest wait. By default 5 minutes. */
  timeoutMs?: number | undefined
  /** The shortest interval between two polls. By default 500 ms. It grows to 5 s. */
  pollMs?: number | undefined
  /** Called with every change, including the first state. */
  onUpdate?: ((thing: Thing) => void) | undefined
  /** A number from 0 to 1 that spreads the polls of many clients. Replaces `Math.random`. */
  random?: (() => number) | undefined
}

/** How to poll, and when to stop. */
export type Followed<Thing> = {
  ask(signal: AbortSignal): Promise<Thing>
  hasEnded(thing: Thing): boolean
  /** Creates the error after the timeout; `cause` is the error of the last poll. */
  onLate(timeoutMs: number, cause: AnyKassaError | undefined): unknown
}

const shortestMs = 50
const longestMs = 5_000

const transient: readonly string[] = ['api.unreachable', 'api.timeout', 'api.unavailable', 'api.rate-limited']

const isTransient = (error: unknown): error is AnyKassaError =>
  isKassaError(error) && transient.includes(error.code)

type Asked<Thing> = { thing: Thing } | { trouble: AnyKassaError }

/** Polls once. A temporary failure is a result too. */
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

/** Polls until the end state, at growing intervals, even while the service is unavailable. */
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
