import type { Nft } from '../schema/index.js'
import { readNft } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { fillPath } from './fillPath.js'
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
    method: 'GET',
    path: fillPath('/2022-06-09/collections/{collectionId}/nfts/{nftId}', { collectionId, nftId }),
    answer: readNft,
    ...call,
  })
