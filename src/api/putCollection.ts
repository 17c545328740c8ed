import type { Collection, CreateCollectionBody } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readCollection } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link putCollection}. */
export type PutCollectionParameters = KeyCallParameters & {
  /** Your own id: 1 to 128 letters, digits, dots, underscores and hyphens. */
  collectionId: string
  body: CreateCollectionBody
}

/**
 * Creates a collection with your own id. Repeating the call with the same content creates no second one.
 *
 * @returns The collection; its `actionId` tells when it is on its chain.
 * @throws {@link KassaError} `api.conflict` when the id is taken with other content, `api.bad-request` naming
 * the
 * field, …
 * @source interface.md "Create collection (idempotent)"
 */
export const putCollection = async (
  client: Client,
  { collectionId, ...call }: PutCollectionParameters,
): Promise<Collection> =>
  requestBody(client, {
    operation: operations.putCollection,
    params: { collectionId },
    answer: readCollection,
    ...call,
  })
