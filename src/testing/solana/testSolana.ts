import type { Message } from '../../chain/solana/message.js'
import type { Transfer } from '../../chain/solana/transfer.js'
import type { Bank } from '../evm/createBank.js'

/** A token of a collection: its mint, and the collection that it is of. */
export type MintedMint = { mint: string; collectionId: string; owner: string }

/** The tokens of the collections on the test cluster. */
export type MintLedger = {
  find(mint: string): MintedMint | undefined
  /** Lists the tokens of some owners, in the order of their mints. */
  list(owners: readonly string[]): MintedMint[]
  /** Mints or moves a token. */
  put(token: MintedMint): void
  /** @returns A function that restores the current owners. */
  save(): () => void
}

/** What a transaction did, whether it succeeded or failed. */
export type Outcome = {
  /** Why it failed, as nodes write it; null if it succeeded. */
  err: unknown
  logs: readonly string[]
  /** The transfers of SOL and of tokens that it made. */
  transfers: readonly Transfer[]
}

/** A transaction on the test cluster. */
export type SolanaTransaction = {
  signature: string
  /** The signed transaction. */
  bytes: Uint8Array
  message: Message
  /** When its block is confirmed, in epoch milliseconds. */
  dueMs: number
  /** The reason for which it fails, whatever it does. */
  failsWith?: string | undefined
  /** Its outcome, once its block is confirmed. */
  landed?: Outcome & { atMs: number }
}

/** Optional terms of a transaction. */
export type SolanaSendOptions = {
  /** How long it takes until its block is confirmed. @units milliseconds */
  delayMs?: number | undefined
  failsWith?: string | undefined
}

/** A Solana cluster in memory, which the service and the wallets share. */
export type TestSolana = {
  bank: Bank<string>
  mints: MintLedger
  now(): number
  /** Confirms the block of every transaction that is due. */
  mine(): void
  /** Oldest first. */
  transactions(): readonly SolanaTransaction[]
  heightAt(ms: number): bigint
  /** Returns the newest blockhash, and the last block that includes a transaction with it. */
  getBlockhash(): { blockhash: string; lastBlockHeight: bigint }
  /** Returns the last block that includes a transaction with a blockhash; undefined if that block has passed. */
  findLastHeight(blockhash: string): bigint | undefined
  /** Runs a message without keeping what it does. */
  simulate(message: Message): Outcome
  /** Sends a signed transaction, without simulating it first. @returns Its signature. */
  send(bytes: Uint8Array, options?: SolanaSendOptions): string
}
