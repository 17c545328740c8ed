import type { Collection, UpdateCollectionBody } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readCollection } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link updateCollection}. */
export type UpdateCollectionParameters = KeyCallParameters & {
  collectionId: string
  /** The fields to change. `null` removes a supply limit, or takes a collection off sale. */
  body: UpdateCollectionBody
}

/**
 * Changes the metadata, the supply limit, the price or the transferability of a collection.
 *
 * @returns The collection; its `actionId` tells when the change is on its chain.
 * @throws {@link KassaError} `api.not-found`, `api.bad-request` naming the field, …
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const updateCollection = async (
  client: Client,
  { collectionId, ...call }: UpdateCollectionParameters,
): Promise<Collection> =>
  requestBody(client, {
    operation: operations.updateCollection,
    params: { collectionId },
    answer: readCollection,
    ...call,
  })
