import { type EvmPaymentAttempt, readEvmAttempt } from './evm/attempt.js'
import { readSolanaAttempt, type SolanaPaymentAttempt } from './solana/attempt.js'

/** One attempt at paying an order, stored before the wallet is asked. */
export type PaymentAttempt = EvmPaymentAttempt | SolanaPaymentAttempt

/** The part of the Web Storage interface that stores attempts. */
export type WebStorage = {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Stores attempts across reloads, so that the buyer is not asked to pay twice. It contains no secret. */
export type PaymentAttemptStore = {
  /** Returns the attempts at an order that may still succeed, the oldest first. */
  list(orderId: string): PaymentAttempt[]
  /** Adds or replaces an attempt. */
  put(attempt: PaymentAttempt): void
  /**
   * Merges fields into an attempt.
   *
   * @returns The whole attempt; undefined when it was removed, which it stays.
   */
  update(
    attempt: Pick<PaymentAttempt, 'orderId' | 'id'>,
    change: (known: PaymentAttempt) => PaymentAttempt,
  ): PaymentAttempt | undefined
  /** Removes one attempt that is known to have failed. */
  remove(attempt: Pick<PaymentAttempt, 'orderId' | 'id'>): void
  /** Removes all attempts at a paid order. */
  clear(orderId: string): void
}

/** Creates storage for the lifetime of the page, for environments without any other. */
export const createMemoryStorage = (): WebStorage => {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}

/**
 * Opens localStorage. It never throws: what the browser does not store, because storage is blocked, full or absent, it
 * remembers for the lifetime of the page.
 *
 * @example
 * ```ts
 * import { openStorage } from 'kassa/chain'
 * import { baseSepolia } from 'viem/chains'
 * import { createConfig, createStorage, http } from 'wagmi'
 *
 * // By itself, wagmi throws where localStorage is blocked.
 * export const config = createConfig({
 *   chains: [baseSepolia],
 *   storage: createStorage({ storage: openStorage() }),
 *   transports: { [baseSepolia.id]: http() },
 * })
 * ```
 */
export const openStorage = (): WebStorage => {
  // Null for an item that was removed and may still be stored.
  const unsaved = new Map<string, string | null>()
  const write = (key: string, value: string | null, work: (storage: WebStorage) => void): void => {
    unsaved.set(key, value)
    try {
      // Not accessed by its name, because programs without a DOM, and their compilers, do not know it. Reading it
      // throws in a sandboxed frame, or with storage blocked.
      work(Reflect.get(globalThis, 'localStorage'))
      unsaved.delete(key)
    } catch {
      // It stays unsaved.
    }
  }
  return {
    getItem: (key) => {
      const known = unsaved.get(key)
      if (known !== undefined) return known
      try {
        return Reflect.get(globalThis, 'localStorage').getItem(key)
      } catch {
        return null
      }
    },
    setItem: (key, value) => write(key, value, (storage) => storage.setItem(key, value)),
    removeItem: (key) => write(key, null, (storage) => storage.removeItem(key)),
  }
}

/**
 * Reads records one by one, because a record of another page version must neither hide the others nor get
 * lost.
 */
const readRecords = (text: string | null): { attempts: PaymentAttempt[]; foreign: unknown[] } => {
  const stored: unknown = JSON.parse(text ?? '[]')
  const attempts: PaymentAttempt[] = []
  const foreign: unknown[] = []
  for (const record of Array.isArray(stored) ? stored : []) {
    const attempt = readEvmAttempt(record) ?? readSolanaAttempt(record)
    if (attempt) attempts.push(attempt)
    else foreign.push(record)
  }
  return { attempts, foreign }
}

/**
 * Creates a store of attempts under `kassa.attempts.<orderId>`.
 *
 * @param storage - By default localStorage, as {@link openStorage} opens it.
 */
export const createPaymentAttemptStore = (storage: WebStorage = openStorage()): PaymentAttemptStore => {
  const key = (orderId: string): string => `kassa.attempts.${orderId}`
  // Attempts that the storage refused, because it is full or forbidden. They must not get lost.
  const unsaved = new Map<string, PaymentAttempt[]>()
  const read = (orderId: string): ReturnType<typeof readRecords> => {
    try {
      return readRecords(storage.getItem(key(orderId)))
    } catch {
      return { attempts: [], foreign: [] }
    }
  }
  const list = (orderId: string): PaymentAttempt[] => unsaved.get(orderId) ?? read(orderId).attempts
  const save = (orderId: string, attempts: PaymentAttempt[]): void => {
    unsaved.delete(orderId)
    try {
      const records = [...read(orderId).foreign, ...attempts]
      if (records.length) storage.setItem(key(orderId), JSON.stringify(records))
      else storage.removeItem(key(orderId))
    } catch {
      unsaved.set(orderId, attempts)
    }
  }
  const put = (attempt: PaymentAttempt): void => {
    const others = list(attempt.orderId)
    const isKnown = others.some(({ id }) => id === attempt.id)
    save(
      attempt.orderId,
      isKnown ? others.map((other) => (other.id === attempt.id ? attempt : other)) : [...others, attempt],
    )
  }
  return {
    list,
    put,
    update: ({ orderId, id }, change) => {
      const known = list(orderId).find((attempt) => attempt.id === id)
      if (!known) return undefined
      const changed = change(known)
      put(changed)
      return changed
    },
    remove: ({ orderId, id }) =>
      save(
        orderId,
        list(orderId).filter((attempt) => attempt.id !== id),
      ),
    clear: (orderId) => {
      unsaved.delete(orderId)
      try {
        storage.removeItem(key(orderId))
      } catch {
        // Nothing was stored there either.
      }
    },
  }
}
