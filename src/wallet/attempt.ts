import type { SendParams } from './transactionStep.js'

/** What was asked for, under the one key that keeps it from being done twice. */
export type Attempt = {
  key: string
  params: SendParams
  /** Epoch milliseconds of this device. */
  startedAtMs: number
  transactionId?: string | undefined
}

/** The part of the Web Storage interface that an attempt needs. */
export type AttemptStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Where an attempt is kept until it has ended, so that a reload finds it. */
export type AttemptStore = {
  get(): Attempt | undefined
  put(attempt: Attempt): void
  clear(): void
}

// The service keeps a key for a day: later it would be another transaction.
const longestMs = 23 * 60 * 60 * 1000

const read = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined

const isAttempt = (value: unknown): value is Attempt =>
  typeof read(value, 'key') === 'string' &&
  typeof read(value, 'startedAtMs') === 'number' &&
  typeof read(value, 'params') === 'object' &&
  ['string', 'undefined'].includes(typeof read(value, 'transactionId'))

// Reading `sessionStorage` alone throws in a sandboxed frame or with storage blocked.
const findStorage = (): AttemptStorage | undefined => {
  try {
    return Reflect.get(globalThis, 'sessionStorage')
  } catch {
    return undefined
  }
}

/** Does what storage may refuse: full or blocked, it remembers nothing. */
const tryTo = <Value>(work: () => Value): Value | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

/**
 * Keeps one attempt of a tab. It holds what is to be done and a random key, and no secret.
 *
 * @param name - Under which name: one for each thing that a page sends.
 */
export const createAttemptStore = (
  name: string,
  now: () => number,
  storage: AttemptStorage | undefined = findStorage(),
): AttemptStore => {
  const item = `kassa.transaction.${name}`
  let kept: Attempt | undefined
  const isFresh = (known: Attempt | undefined): known is Attempt =>
    known !== undefined && now() - known.startedAtMs < longestMs
  const recall = (): Attempt | undefined => {
    const known = tryTo((): unknown => JSON.parse(storage?.getItem(item) ?? 'null'))
    return isAttempt(known) ? known : undefined
  }
  return {
    get: () => {
      kept ??= recall()
      return isFresh(kept) ? kept : undefined
    },
    put: (next) => {
      kept = next
      tryTo(() => storage?.setItem(item, JSON.stringify(next)))
    },
    clear: () => {
      kept = undefined
      tryTo(() => storage?.removeItem(item))
    },
  }
}
