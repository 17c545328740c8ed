import type { Wallet } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readWallet } from '../schema/walletReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Identifies a wallet. */
export type WalletParameters = KeyCallParameters & {
  /**
   * Its address, or its user and type such as `email:ada@example.com:evm-smart-wallet`. A browser sends
   * `me:evm-smart-wallet` to its shop's own handler, which knows the signed-in user.
   */
  walletLocator: string
}

/** Parameters of {@link getWallet}. */
export type GetWalletParameters = WalletParameters

/**
 * Gets a wallet.
 *
 * @throws {@link KassaError} `api.not-found`, `api.bad-request` for a locator that is none, …
 * @source interface.md "Wallet locator formats"; answers.md "Wallets and transactions"
 */
export const getWallet = async (
  client: Client,
  { walletLocator, ...call }: GetWalletParameters,
): Promise<Wallet> =>
  requestBody(client, {
    operation: operations.getWallet,
    params: { walletLocator },
    answer: readWallet,
    ...call,
  })
