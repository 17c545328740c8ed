import { type Address, type Hex, isAddress, isHex } from 'viem'
import { maybe, number, object, reader, text } from '../../schema/read.js'

/** One attempt at paying an order, stored before the wallet is asked. */
export type PaymentAttempt = {
  /** Identifies the attempt among those of one order. */
  id: string
  orderId: string
  chainId: number
  payerAddress: Address
  /**
   * The transaction's recipient and data that the wallet was asked to sign. They identify the payment on
   * chain.
   */
  to: Address
  data: Hex
  /** A decimal string of wei. */
  valueWei: string
  /** When the wallet was asked, in epoch milliseconds. */
  attemptedAtMs: number
  /** The newest block at that time, as a decimal string. The payment cannot be in an earlier one. */
  fromBlock?: string | undefined
  /**
   * The transaction's nonce, once a node has returned it. If the nonce is used without this hash, the
   * transaction was replaced.
   */
  nonce?: number | undefined
  /**
   * Whether the payer is a contract, whose answer may be its own identifier instead of a transaction
   * hash.
   */
  isContractWallet?: boolean | undefined
  /** The wallet's answer: a transaction hash, or a contract wallet's own identifier. */
  txId?: string | undefined
  /** Identifier of a bundle of calls (EIP-5792), for a wallet that sends no plain transactions. */
  callsId?: string | undefined
  /** Whether the network has dropped the transaction, so that it is unknown whether it will return. */
  isDropped?: boolean | undefined
}

// An older version of the page keeps the fields that a newer one has written.
const readRecord = /* @__PURE__ */ reader<PaymentAttempt>(
  object({
    id: text,
    orderId: text,
    chainId: number,
    payerAddress: text,
    to: text,
    data: text,
    valueWei: text,
    attemptedAtMs: number,
    fromBlock: maybe(text),
    nonce: maybe(number),
    txId: maybe(text),
    callsId: maybe(text),
  }),
)

/** Whether the text fields of a record are valid for queries of the chain. */
const isSound = ({ payerAddress, to, data, valueWei, fromBlock = '0' }: PaymentAttempt): boolean =>
  isAddress(payerAddress, { strict: false }) &&
  isAddress(to, { strict: false }) &&
  isHex(data) &&
  /^\d+,\d+$/.test(`${valueWei},${fromBlock}`)

/** The part of the Web Storage interface that a ledger needs. */
export type LedgerStorage = {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Stores attempts across reloads, so that the buyer is not asked to pay twice. It contains no secret. */
export type Ledger = {
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
export const createMemoryStorage = (): LedgerStorage => {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}

// Reading `localStorage` can throw in a sandboxed frame or with storage blocked.
const findStorage = (): LedgerStorage | undefined => {
  try {
    // Not accessed by its name, because programs without a DOM, and their compilers, do not know it.
    return Reflect.get(globalThis, 'localStorage')
  } catch {
    return undefined
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
    const read = readRecord(record)
    if ('data' in read && isSound(read.data)) attempts.push(read.data)
    else foreign.push(record)
  }
  return { attempts, foreign }
}

/**
 * Creates a ledger that stores attempts under `kassa.attempts.<orderId>`.
 *
 * @param storage - By default localStorage, or memory where there is none.
 */
export const createLedger = (storage: LedgerStorage = findStorage() ?? createMemoryStorage()): Ledger => {
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
