import type { TransactionError } from 'kassa/schema'
import type { Transaction } from '../db/database.js'

/** The options of one write. */
export type WriteOptions = {
  /** Called once the transaction has its nonce, so that the sender can start the next one. */
  onSigned?: (() => void) | undefined
  /** Called once the node has received the signed transaction. What follows is waiting for its end. */
  onSent?: (() => void) | undefined
  /**
   * Called with the transaction that the node has received. It may be signed again under another id. Not every chain
   * tells it.
   */
  onBroadcast?: ((txId: string) => void) | undefined
  /**
   * Called, perhaps again, once the transaction has taken effect in a block that may still be replaced. Not every chain
   * tells it.
   */
  onLanded?: ((txId: string) => void) | undefined
  /**
   * Called before signing, in the database transaction that stores the signed bytes. If it throws, nothing is
   * signed.
   */
  assertDue?: ((tx: Transaction) => Promise<void>) | undefined
}

/** The call of a refused write, to find out why it was refused. */
export type CallInfo = { functionName: string; arguments: unknown[]; calldata: string }

/**
 * A finished chain write. `failed` means that it never happened and never can, under this key or another. The
 * reason is the chain's own.
 */
export type WriteResult =
  | { status: 'succeeded'; txId: string }
  | { status: 'failed'; reason: string; txId?: string; call?: CallInfo }

/**
 * A finished refund or sweep. `credited` means that the recipient's address rejected the coins: they wait in
 * `contract`, where the recipient claims them with `claimTo(address)`.
 */
export type PayOutResult =
  | (WriteResult & {
      /** What was taken off for the account that was opened for the recipient. @units base units of the currency */
      feeUnits?: bigint
    })
  | { status: 'credited'; txId: string; contract: string }

const attemptMark = /#\d+$/

/**
 * Returns the key of another attempt at a write whose earlier attempts failed. The first attempt has the key
 * itself.
 */
export const attemptKey = (key: string, attempt: number): string => (attempt > 1 ? `${key}#${attempt}` : key)

/** Returns the number of an attempt by its key, from 1 on. */
export const attemptOf = (key: string): number => Number(attemptMark.exec(key)?.[0].slice(1) ?? 1)

/** Returns the key that all attempts at one write share. */
export const firstKey = (key: string): string => key.replace(attemptMark, '')

/** The final result of what a wallet did. */
export type WalletResult =
  | { status: 'success'; txId: string }
  | { status: 'failed'; txId?: string; error: TransactionError }
