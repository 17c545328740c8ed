import type { MintNftBody, Nft } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readNft } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link mintNft}. */
export type MintNftParameters = KeyCallParameters & {
  collectionId: string
  body: MintNftBody
  /** Within 24 hours, the same key and body return the first answer instead of minting a second token. */
  idempotencyKey?: string | undefined
}

/**
 * Mints a token with an id that the service chooses. {@link putNft} takes your own id and can be repeated.
 *
 * @returns The token, on its way; its `actionId` tells when it is on its chain.
 * @throws {@link KassaError} `api.not-found` for the collection, `api.conflict` when it is sold out,
 * `api.bad-request` naming the field, …
 * @source interface.md "Mint NFT"
 */
export const mintNft = async (client: Client, { collectionId, ...call }: MintNftParameters): Promise<Nft> =>
  requestBody(client, {
    operation: operations.mintNft,
    params: { collectionId },
    answer: readNft,
    ...call,
  })
