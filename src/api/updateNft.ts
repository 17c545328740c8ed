import type { Nft, UpdateNftBody } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readNft } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link updateNft}. */
export type UpdateNftParameters = KeyCallParameters & {
  collectionId: string
  nftId: string
  /** `metadata` replaces the current one as a whole. */
  body: UpdateNftBody
}

/**
 * Changes the metadata of a token, or renews a subscription.
 *
 * @returns The token; its `actionId` tells when the change is on its chain.
 * @throws {@link KassaError} `api.not-found`, `api.bad-request` naming the field, …
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const updateNft = async (
  client: Client,
  { collectionId, nftId, ...call }: UpdateNftParameters,
): Promise<Nft> =>
  requestBody(client, {
    operation: operations.updateNft,
    params: { collectionId, nftId },
    answer: readNft,
    ...call,
  })
