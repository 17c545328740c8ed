import type { TransactionError } from 'kassa/schema'
import type { WalletResult, WriteOptions } from './write.js'

/** A transaction that its caller wrote, read and checked. It is signed as it is. */
export type ReadMessage = {
  /** The transaction without signatures, as it is stored. */
  transaction: string
  /** What is signed, as approvals show it. */
  message: string
  /** Who must sign beside the wallet. */
  signers: readonly string[]
}

/** A signed transaction that can land until a block height. */
export type MessageToSend = {
  transaction: string
  /** By address, of those who sign beside the wallet. */
  signatures: Readonly<Record<string, string>>
  lastValidBlockHeight: bigint
  privateKey: Uint8Array
}

/** Whole transactions that accounts sign, as wallets on Solana do. Sends take a key, as those of `WalletPort` do. */
export type MessagePort = {
  /**
   * Reads the transaction that a wallet is to sign.
   *
   * @param field - The field that holds it. Errors name it.
   * @throws {ServiceError} `input-invalid` naming the field: bytes that are no transaction, another fee payer, a
   * signature, a lookup table, or a durable nonce, with which it would not expire.
   */
  read(field: string, transaction: string, wallet: string): ReadMessage
  /**
   * Simulates a transaction.
   *
   * @returns Until which block height it can land, or why it fails.
   * @throws {ServiceError} `input-invalid` naming the field if its blockhash is gone.
   */
  try(
    field: string,
    transaction: string,
  ): Promise<
    { status: 'ready'; lastValidBlockHeight: bigint } | { status: 'failed'; error: TransactionError }
  >
  /** Lists who takes part in a transaction: the accounts that it names, and the owners of its token accounts. */
  listParties(transaction: string): Promise<string[]>
  /** Whether a signature of a message is by the key of an address. */
  isSignature(input: { address: string; message: string; signature: string }): Promise<boolean>
  /** Signs a transaction with a wallet's key, sends it, and waits for its end or until it can never land. */
  send(key: string, input: MessageToSend, options?: WriteOptions): Promise<WalletResult>
  /**
   * Burns one copy of a token that a wallet holds, at the operator's cost, and waits for the end.
   *
   * @param input.token - The token's own address.
   */
  burn(
    key: string,
    input: { token: string; privateKey: Uint8Array },
    options?: WriteOptions,
  ): Promise<WalletResult>
  /** Whether the last block that could include a transaction is final. */
  isExpired(lastValidBlockHeight: bigint): Promise<boolean>
}
