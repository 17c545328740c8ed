import type { BalanceList, FundBody } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readBalanceList } from '../schema/walletReaders.js'
import type { Client } from './client.js'
import type { WalletParameters } from './getWallet.js'
import { requestBody } from './request.js'

/** Parameters of {@link fundWallet}. */
export type FundWalletParameters = WalletParameters & {
  body: FundBody
  /** Within 24 hours, the same key and body fund once. */
  idempotencyKey?: string | undefined
}

/**
 * Sends a wallet test tokens, on staging only.
 *
 * @returns What the wallet holds of them afterwards.
 * @units `amount` is in whole tokens; what comes back is in base units
 * @throws {@link KassaError} `api.forbidden` in production, `api.bad-request` naming the field, …
 * @source interface.md "Fund wallet"
 */
export const fundWallet = async (
  client: Client,
  { walletLocator, ...call }: FundWalletParameters,
): Promise<BalanceList> =>
  requestBody(client, {
    operation: operations.fundWallet,
    params: { walletLocator },
    answer: readBalanceList,
    ...call,
  })
