import type {
  Collection,
  CollectionList,
  CreateCollectionBody,
  UpdateCollectionBody,
} from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readCollection, readCollectionList } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, type PageParameters, requestBody } from './request.js'
import { writeQuery } from './writeQuery.js'

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
    query: writeQuery({ page, perPage }),
    answer: readCollectionList,
    ...call,
  })

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

/** Parameters of {@link updateCollection}. */
export type UpdateCollectionParameters = KeyCallParameters & {
  collectionId: string
  /** The fields to change. `"unlimited"` removes a limit. `payments: null` takes a collection off sale. */
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
