import type { CollectionList } from '../schema/index.js'
import { readCollectionList } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type PageParameters, pageQuery } from './pageQuery.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link listCollections}. */
export type ListCollectionsParameters = KeyCallParameters & PageParameters

/**
 * Lists the project's collections, page by page.
 *
 * @throws {@link KassaError} `api.bad-request` for a page that cannot be, …
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const listCollections = (
  client: Client,
  { page, perPage, ...call }: ListCollectionsParameters = {},
): Promise<CollectionList> =>
  requestBody(client, {
    method: 'GET',
    path: `/2022-06-09/collections${pageQuery({ page, perPage })}`,
    answer: readCollectionList,
    ...call,
  })
