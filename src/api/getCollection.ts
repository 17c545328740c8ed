import type { Collection } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readCollection } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
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
    operation: operations.getCollection,
    params: { collectionId },
    answer: readCollection,
    ...call,
  })
