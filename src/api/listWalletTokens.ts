import type { WalletTokenList } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readWalletTokenList } from '../schema/walletReaders.js'
import type { Client } from './client.js'
import type { PageParameters } from './request.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link listWalletTokens}. */
export type ListWalletTokensParameters = KeyCallParameters &
  PageParameters & {
    /**
     * The holder: `<chain>:<address>`, or a user and a chain such as `email:ada@example.com:base`. A browser
     * sends `me:base` to its shop's own handler, which knows the signed-in user.
     */
    identifier: string
  }

/**
 * Lists the tokens of any minter that a wallet holds on its chain, page by page.
 *
 * @throws {@link KassaError} `api.bad-request` for an unknown chain or an address that is none, …
 * @source interface.md "Wallet token entry"
 */
export const listWalletTokens = async (
  client: Client,
  { identifier, page, perPage, ...call }: ListWalletTokensParameters,
): Promise<WalletTokenList> =>
  requestBody(client, {
    operation: operations.listWalletTokens,
    params: { identifier },
    query: { page, perPage },
    answer: readWalletTokenList,
    ...call,
  })
