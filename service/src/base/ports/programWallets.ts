import type { MessageToSend, ReadMessage } from './messages.js'
import type { WalletResult, WriteOptions } from './write.js'

/** A smart wallet of a program on Solana. The salt distinguishes the wallets of one signer. */
export type ProgramWalletRef = {
  salt: string
  /** The address of the account that controls it. */
  signer: string
}

/**
 * Smart wallets on Solana: accounts of a program that executes what their signer has approved. The service has no
 * adapter of such a program. One that fills this port makes `solana-smart-wallet` available: see
 * docs/chain-adapter.md.
 */
export type ProgramWalletPort = {
  /** Returns the address from which the wallet's program pays, and at which the wallet holds what it has. */
  walletAddress(wallet: ProgramWalletRef): string
  /**
   * Reads the transaction that a wallet is to execute, and writes the one that makes its program do so. The
   * operator pays the fee of that one, and the wallet's signer is among its signers.
   *
   * @param field - The field that holds it. Errors name it.
   * @throws {ServiceError} `input-invalid` naming the field.
   */
  wrap(field: string, transaction: string, wallet: ProgramWalletRef): Promise<ReadMessage>
  /** Adds the operator's signature to the approvals, sends, and waits for the end or until it can never land. */
  send(key: string, message: Omit<MessageToSend, 'privateKey'>, options?: WriteOptions): Promise<WalletResult>
}
