import { type Address, type Hex, isAddress, isHex } from 'viem'
import { maybe, number, object, reader, text } from '../schema/read.js'

/** One attempt at paying an order, written down before the wallet is asked. */
export type PaymentAttempt = {
  /** Tells the attempts at one order apart. */
  id: string
  orderId: string
  chainId: number
  payerAddress: Address
  /** What the wallet was asked to sign: where to, with which data. It is how the payment is found on chain. */
  to: Address
  data: Hex
  /** A decimal string of wei. */
  valueWei: string
  /** When the wallet was asked, in epoch milliseconds. */
  attemptedAtMs: number
  /** The newest block then, as a decimal string: the payment cannot be in an earlier one. */
  fromBlock?: string | undefined
  /** The transaction's nonce, once a node has told it: when it is used up without the hash, that was replaced. */
  nonce?: number | undefined
  /** Whether the payer is a contract, whose answer may be an identifier of its own and no transaction hash. */
  isContractWallet?: boolean | undefined
  /** What the wallet answered: hash of the transaction, or a contract wallet's own identifier. */
  txId?: string | undefined
  /** Identifier of a bundle of calls (EIP-5792), where the wallet takes no plain transaction. */
  callsId?: string | undefined
  /** Whether the network has forgotten the transaction, so that nobody knows whether it will come back. */
  isDropped?: boolean | undefined
}

// What a newer version of the page writes beside these survives an older one.
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

/** Whether the text fields of a record hold what the chain will be asked about. */
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

/** Remembers attempts across reloads, so that nobody is asked to pay twice. It holds no secret. */
export type Ledger = {
  /** The attempts at an order that are not known to have failed, the oldest first. */
  list(orderId: string): PaymentAttempt[]
  /** Adds an attempt, or replaces what was known of it. */
  put(attempt: PaymentAttempt): void
  /**
   * Adds to what is known of an attempt.
   *
   * @returns All that is known; undefined when the attempt is forgotten, which it stays.
   */
  update(
    attempt: Pick<PaymentAttempt, 'orderId' | 'id'>,
    change: (known: PaymentAttempt) => PaymentAttempt,
  ): PaymentAttempt | undefined
  /** Forgets one attempt: it is known to have come to nothing. */
  remove(attempt: Pick<PaymentAttempt, 'orderId' | 'id'>): void
  /** Forgets all attempts at an order: it is paid. */
  clear(orderId: string): void
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
    // Not by its name, which a program without a DOM does not know, not even to its compiler.
    return Reflect.get(globalThis, 'localStorage')
  } catch {
    return undefined
  }
}

/** Reads records one by one: what another version of the page wrote must neither hide the others nor be lost. */
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
 * Keeps attempts under `kassa.attempts.<orderId>`.
 *
 * @param storage - Where to keep them: localStorage by default, memory where there is none.
 */
export const createLedger = (storage: LedgerStorage = findStorage() ?? createMemoryStorage()): Ledger => {
  const key = (orderId: string): string => `kassa.attempts.${orderId}`
  // What the storage would not take: full, or forbidden. An attempt must not be forgotten for that.
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
        // Nothing was kept there either.
      }
    },
  }
}
