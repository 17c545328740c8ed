import type { Collection, CreateCollectionBody } from '../schema/index.js'
import { readCollection } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link createCollection}. */
export type CreateCollectionParameters = KeyCallParameters & {
  body: CreateCollectionBody
  /** The same key and body within 24 hours give the first answer again, not a second collection. */
  idempotencyKey?: string | undefined
}

/**
 * Creates a collection under an id that the service chooses. {@link putCollection} takes one of yours, and may be
 * called again.
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
    method: 'POST',
    path: '/2022-06-09/collections',
    answer: readCollection,
    ...parameters,
  })
