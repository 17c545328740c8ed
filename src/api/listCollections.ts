import type { CollectionList } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readCollectionList } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import type { PageParameters } from './request.js'
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
    operation: operations.listCollections,
    params: {},
    query: { page, perPage },
    answer: readCollectionList,
    ...call,
  })
