import type { Nft } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readNft } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link getNft}. */
export type GetNftParameters = KeyCallParameters & { collectionId: string; nftId: string }

/**
 * Gets a token of a collection.
 *
 * @throws {@link KassaError} `api.not-found`, …
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const getNft = async (
  client: Client,
  { collectionId, nftId, ...call }: GetNftParameters,
): Promise<Nft> =>
  requestBody(client, {
    operation: operations.getNft,
    params: { collectionId, nftId },
    answer: readNft,
    ...call,
  })
