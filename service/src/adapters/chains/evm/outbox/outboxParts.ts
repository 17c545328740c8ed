import { readRevert } from '../connection/readRevert.js'
import type { BroadcastOptions, SenderOptions } from './broadcast.js'
import { replaceStuck } from './replaceStuck.js'

/** The sender of the transactions, and what waiting for them needs. */
export type OutboxOptions = BroadcastOptions & {
  confirmations: number
  pollMs: number
  /** Waits for the next block, at most for a time in milliseconds. */
  nextHead?: ((mostMs: number) => Promise<unknown>) | undefined
  /** Whether no other database may sign for the account: see `Sender`. */
  isExclusive?: boolean | undefined
  /** Describes a contract's refusal, or returns `undefined` if the error is not one. */
  explain?: (error: unknown) => string | undefined
}

/** What the parts of an outbox share. */
export type OutboxParts = OutboxOptions & SenderOptions & Required<Pick<OutboxOptions, 'explain'>>

/** Completes the options of an outbox with what follows from them. */
export const toOutboxParts = (options: OutboxOptions): OutboxParts => ({
  explain: readRevert,
  ...options,
  sender: options.account.address,
  renew: (first, refusal) => replaceStuck(options, first, refusal),
})
