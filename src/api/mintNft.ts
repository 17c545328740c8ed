import type { MintNftBody, Nft } from '../schema/index.js'
import { readNft } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { fillPath } from './fillPath.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link mintNft}. */
export type MintNftParameters = KeyCallParameters & {
  collectionId: string
  body: MintNftBody
  /** The same key and body within 24 hours give the first answer again, not a second token. */
  idempotencyKey?: string | undefined
}

/**
 * Mints a token under an id that the service chooses. {@link putNft} takes one of yours, and may be called again.
 *
 * @returns The token, on its way; its `actionId` tells when it is on its chain.
 * @throws {@link KassaError} `api.not-found` for the collection, `api.conflict` when it is sold out,
 * `api.bad-request` naming the field, …
 * @source interface.md "Mint NFT"
 */
export const mintNft = async (client: Client, { collectionId, ...call }: MintNftParameters): Promise<Nft> =>
  requestBody(client, {
    method: 'POST',
    path: fillPath('/2022-06-09/collections/{collectionId}/nfts', { collectionId }),
    answer: readNft,
    ...call,
  })
