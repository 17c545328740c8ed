import type { MintNftBody, Nft } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readNft } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link putNft}. */
export type PutNftParameters = KeyCallParameters & {
  collectionId: string
  /** Your own id: 1 to 128 letters, digits, dots, underscores and hyphens. */
  nftId: string
  body: MintNftBody
}

/**
 * Mints a token with your own id. Repeating the call with the same content mints no second one.
 *
 * @returns The token, on its way; its `actionId` tells when it is on its chain.
 * @throws {@link KassaError} `api.conflict` when the id is taken with other content, `api.not-found` for the
 * collection, `api.bad-request` naming the field, …
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const putNft = async (
  client: Client,
  { collectionId, nftId, ...call }: PutNftParameters,
): Promise<Nft> =>
  requestBody(client, {
    operation: operations.putNft,
    params: { collectionId, nftId },
    answer: readNft,
    ...call,
  })
