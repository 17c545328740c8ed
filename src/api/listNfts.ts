import type { NftList } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readNftList } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import type { PageParameters } from './request.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link listNfts}. */
export type ListNftsParameters = KeyCallParameters & PageParameters & { collectionId: string }

/**
 * Lists the tokens of a collection, page by page.
 *
 * @throws {@link KassaError} `api.not-found` for the collection, `api.bad-request` for a page that cannot be,
 * …
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const listNfts = async (
  client: Client,
  { collectionId, page, perPage, ...call }: ListNftsParameters,
): Promise<NftList> =>
  requestBody(client, {
    operation: operations.listNfts,
    params: { collectionId },
    query: { page, perPage },
    answer: readNftList,
    ...call,
  })
