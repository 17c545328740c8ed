import type { ContractCall, DirectCall, Revert, SerializedCall, TokenStandard } from 'kassa/schema'
import type { WalletResult, WriteOptions } from './write.js'

/** An encoded call. `errors` are the errors that its contract may return, as the caller declared them. */
export type EncodedCall = { to: string; value: bigint; data: string; errors?: readonly unknown[] }

/** A call as callers write it. */
export type WrittenCall =
  | ContractCall
  | DirectCall
  | SerializedCall
  | { to: string; data: string; value?: string }

/**
 * A transfer of a token or of coins, which is all that a call does. Coins have no `contract`, and units of a
 * fungible token no `tokenId`.
 */
export type Transfer = {
  contract: string | undefined
  tokenId: bigint | undefined
  units: bigint
  recipient: string
}

/** Calls of contracts, and the accounts that make them. Sends take a key, as those of `WalletPort` do. */
export type CallPort = {
  /**
   * Encodes calls without asking a chain.
   *
   * @param field - The field that holds the calls, such as `params.calls`. Errors name
   * `params.calls[0].args`. A field that ends in `.call` holds a single call, so its errors have no index.
   * @throws {ServiceError} `input-invalid` naming the field: a function that the interface does not have,
   * arguments that do not fit, a transaction of another chain, or a contract creation.
   */
  encode(calls: readonly WrittenCall[], field: string): EncodedCall[]
  /** Encodes the call by which a token's holder burns it: of a semi-fungible token, one copy. */
  encodeBurn(input: {
    contract: string
    standard: TokenStandard
    tokenId: bigint
    holder: string
  }): EncodedCall
  /** Reads what a call transfers, or returns `undefined` if it does anything else. */
  readTransfer(call: EncodedCall): Transfer | undefined
  /**
   * Simulates a call as an account would make it, and checks that the account or its sponsor can pay for the
   * gas.
   */
  try(
    from: string,
    call: EncodedCall,
    terms: { isSponsored: boolean },
  ): Promise<{ status: 'ready' } | { status: 'reverted'; message: string; revert: Revert }>
  /** Sends a call from an account whose key the service keeps, and waits for its end. */
  send(
    key: string,
    input: { privateKey: Uint8Array; call: EncodedCall; isSponsored: boolean },
    options?: WriteOptions,
  ): Promise<WalletResult>
}
