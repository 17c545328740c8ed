import * as z from 'zod/mini'

/** One attempt at paying an order, written down before the wallet is asked. */
export type PaymentAttempt = {
  orderId: string
  chainId: number
  payerAddress: string
  /** When the wallet was asked, in epoch milliseconds. */
  attemptedAtMs: number
  /** Hash of the transaction, once the wallet has told it. */
  txId?: string | undefined
  /** The transaction's nonce, once a node has told it: when it is used up without the hash, that was replaced. */
  nonce?: number | undefined
}

const PaymentAttemptRecord = z.object({
  orderId: z.string(),
  chainId: z.number(),
  payerAddress: z.string(),
  attemptedAtMs: z.number(),
  txId: z.optional(z.string()),
  nonce: z.optional(z.number()),
})

/** The part of the Web Storage interface that a ledger needs. */
export type LedgerStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Remembers attempts across reloads, so that nobody is asked to pay twice. It holds no secret. */
export type Ledger = {
  get(orderId: string): PaymentAttempt | undefined
  put(attempt: PaymentAttempt): void
  remove(orderId: string): void
}

/** Storage that lasts as long as the page, for where there is no other. */
export const createMemoryStorage = (): LedgerStorage => {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}

// Reading `localStorage` alone throws in a sandboxed frame or with storage blocked.
const findStorage = (): LedgerStorage | undefined => {
  try {
    return typeof localStorage === 'undefined' ? undefined : localStorage
  } catch {
    return undefined
  }
}

/**
 * Keeps attempts under `kassa.attempt.<orderId>`.
 *
 * @param storage - Where to keep them: localStorage by default, memory where there is none.
 */
export const createLedger = (storage: LedgerStorage = findStorage() ?? createMemoryStorage()): Ledger => {
  const key = (orderId: string): string => `kassa.attempt.${orderId}`
  // What the storage would not take: full, or forbidden. An attempt must not be forgotten for that.
  const unsaved = new Map<string, PaymentAttempt>()
  const read = (orderId: string): PaymentAttempt | undefined => {
    try {
      const parsed = z.safeParse(PaymentAttemptRecord, JSON.parse(storage.getItem(key(orderId)) ?? 'null'))
      return parsed.success ? parsed.data : undefined
    } catch {
      return undefined
    }
  }
  return {
    get: (orderId) => unsaved.get(orderId) ?? read(orderId),
    put: (attempt) => {
      try {
        storage.setItem(key(attempt.orderId), JSON.stringify(attempt))
        unsaved.delete(attempt.orderId)
      } catch {
        unsaved.set(attempt.orderId, attempt)
      }
    },
    remove: (orderId) => {
      unsaved.delete(orderId)
      try {
        storage.removeItem(key(orderId))
      } catch {
        // Nothing was kept there either.
      }
    },
  }
}
