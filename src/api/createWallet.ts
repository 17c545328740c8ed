import type { CreateWalletInput, Wallet } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readWallet } from '../schema/walletReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link createWallet}. */
export type CreateWalletParameters = KeyCallParameters & {
  body: CreateWalletInput
  /** Within 24 hours, the same key and body return the first answer instead of creating a second wallet. */
  idempotencyKey?: string | undefined
}

/**
 * Creates a wallet, or gets the user's existing one of that type, whose signer may differ from the requested
 * one: check the `config` of the answer. Without an `adminSigner` the service keeps its key and signs
 * automatically. Its address is usable at once: a smart wallet is deployed by its first transaction.
 *
 * @throws {@link KassaError} `api.bad-request` naming the field, `api.conflict` when the idempotency key was
 * used for
 * another wallet, …
 * @source interface.md "Create wallet"
 * @example
 * ```ts
 * import { type Client, createWallet } from 'kassa/api'
 *
 * export const createWalletFor = (client: Client, email: string) =>
 *   createWallet(client, { body: { type: 'evm-mpc-wallet', linkedUser: `email:${email}` } })
 * ```
 */
export const createWallet = (client: Client, parameters: CreateWalletParameters): Promise<Wallet> =>
  requestBody(client, { operation: operations.createWallet, params: {}, answer: readWallet, ...parameters })
