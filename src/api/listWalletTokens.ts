import type { WalletTokenList } from '../schema/index.js'
import { readWalletTokenList } from '../schema/walletReaders.js'
import type { Client } from './client.js'
import { fillPath } from './fillPath.js'
import { type PageParameters, pageQuery } from './pageQuery.js'
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
    method: 'GET',
    path: `${fillPath('/2022-06-09/wallets/{identifier}/nfts', { identifier })}${pageQuery({ page, perPage })}`,
    answer: readWalletTokenList,
    ...call,
  })
