import type { Collection } from '../schema/index.js'
import { readCollection } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { fillPath } from './fillPath.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link getCollection}. */
export type GetCollectionParameters = KeyCallParameters & { collectionId: string }

/**
 * Gets a collection.
 *
 * @throws {@link KassaError} `api.not-found`, …
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const getCollection = async (
  client: Client,
  { collectionId, ...call }: GetCollectionParameters,
): Promise<Collection> =>
  requestBody(client, {
    method: 'GET',
    path: fillPath('/2022-06-09/collections/{collectionId}', { collectionId }),
    answer: readCollection,
    ...call,
  })
