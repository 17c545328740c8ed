import type { Transaction } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readTransaction } from '../schema/walletReaders.js'
import type { Client } from './client.js'
import type { WalletParameters } from './getWallet.js'
import { requestBody } from './request.js'

/** Parameters of {@link getTransaction}. */
export type GetTransactionParameters = WalletParameters & { transactionId: string }

/**
 * Gets a transaction of a wallet.
 *
 * @throws {@link KassaError} `api.not-found`, …
 * @source answers.md "Wallets and transactions"
 */
export const getTransaction = async (
  client: Client,
  { walletLocator, transactionId, ...call }: GetTransactionParameters,
): Promise<Transaction> =>
  requestBody(client, {
    operation: operations.getTransaction,
    params: {
      walletLocator,
      transactionId,
    },
    answer: readTransaction,
    ...call,
  })
