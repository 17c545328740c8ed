import type { Collection, CreateCollectionBody } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readCollection } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link createCollection}. */
export type CreateCollectionParameters = KeyCallParameters & {
  body: CreateCollectionBody
  /**
   * Within 24 hours, the same key and body return the first answer instead of creating a second collection.
   */
  idempotencyKey?: string | undefined
}

/**
 * Creates a collection with an id that the service chooses. {@link putCollection} takes your own id and can
 * be repeated.
 *
 * @returns The collection; its `actionId` tells when it is on its chain.
 * @throws {@link KassaError} `api.bad-request` naming the field, `api.unauthorized`, `api.forbidden`, …
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const createCollection = (
  client: Client,
  parameters: CreateCollectionParameters,
): Promise<Collection> =>
  requestBody(client, {
    operation: operations.createCollection,
    params: {},
    answer: readCollection,
    ...parameters,
  })
