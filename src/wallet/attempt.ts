import { readField } from '../errors/readField.js'
import type { SendParams } from './transactionStep.js'

/** A stored request with the idempotency key that prevents it from running twice. */
export type Attempt = {
  key: string
  /** The address of the wallet that sends. Another user who signs in later has another wallet. */
  wallet: string
  params: SendParams
  /** Epoch milliseconds of this device. */
  startedAtMs: number
  /** Set once the service has answered. */
  transactionId?: string | undefined
}

/** The part of the Web Storage interface that attempts need. */
export type AttemptStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Stores attempts until they have ended, so that a reload finds them. */
export type AttemptStore = {
  /** Returns the latest attempt. */
  get(): Attempt | undefined
  /** Returns an unanswered attempt with the same request. */
  findUnanswered(params: SendParams): Attempt | undefined
  put(attempt: Attempt): void
  drop(attempt: Pick<Attempt, 'key'>): void
  clear(): void
}

/** The prefix of every item's name in storage. */
export const itemPrefix = 'kassa.transaction.'

// The service keeps a key for a day. Later the same request would create another transaction.
const longestMs = 23 * 60 * 60 * 1000

const isAttempt = (value: unknown): value is Attempt =>
  typeof readField(value, 'key') === 'string' &&
  typeof readField(value, 'wallet') === 'string' &&
  typeof readField(value, 'startedAtMs') === 'number' &&
  typeof readField(value, 'params') === 'object' &&
  ['string', 'undefined'].includes(typeof readField(value, 'transactionId'))

// Reading `sessionStorage` can throw in a sandboxed frame or with storage blocked.
const findStorage = (): AttemptStorage | undefined => {
  try {
    return Reflect.get(globalThis, 'sessionStorage')
  } catch {
    return undefined
  }
}

/** Runs a storage operation. When storage is full or blocked, nothing is stored. */
const tryTo = <Value>(work: () => Value): Value | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

/**
 * Creates the attempt store of a tab. It contains requests and random keys, and no secret.
 *
 * @param name - The store's name: one for each thing that a page sends.
 */
export const createAttemptStore = (
  name: string,
  now: () => number,
  storage: AttemptStorage | undefined = findStorage(),
): AttemptStore => {
  const item = `${itemPrefix}${name}`
  let kept: readonly Attempt[] | undefined
  const recall = (): readonly Attempt[] => {
    const known = tryTo((): unknown => JSON.parse(storage?.getItem(item) ?? '[]'))
    return Array.isArray(known) ? known.filter(isAttempt) : []
  }
  const list = (): readonly Attempt[] => {
    kept ??= recall()
    return kept.filter(({ startedAtMs }) => now() - startedAtMs < longestMs)
  }
  const keep = (next: readonly Attempt[]): void => {
    kept = next
    tryTo(() => (next.length ? storage?.setItem(item, JSON.stringify(next)) : storage?.removeItem(item)))
  }
  const without = ({ key }: Pick<Attempt, 'key'>) => list().filter((known) => known.key !== key)
  return {
    get: () => list().at(-1),
    findUnanswered: (params) => {
      const text = JSON.stringify(params)
      return list().find(
        (known) => known.transactionId === undefined && JSON.stringify(known.params) === text,
      )
    },
    put: (attempt) => keep([...without(attempt), attempt]),
    drop: (attempt) => keep(without(attempt)),
    clear: () => keep([]),
  }
}
