import type { Action, MintNftBody, Nft, NftList, UpdateNftBody } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readAction, readNft, readNftList } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, type PageParameters, requestBody } from './request.js'
import { writeQuery } from './writeQuery.js'

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

/** Parameters of {@link listNfts}. */
export type ListNftsParameters = KeyCallParameters & PageParameters & { collectionId: string }

/**
 * Lists the tokens of a collection, page by page.
 *
 * @throws {@link KassaError} `api.not-found` for the collection, `api.bad-request` for a page that cannot be,
 * …
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const listNfts = async (
  client: Client,
  { collectionId, page, perPage, ...call }: ListNftsParameters,
): Promise<NftList> =>
  requestBody(client, {
    operation: operations.listNfts,
    params: { collectionId },
    query: writeQuery({ page, perPage }),
    answer: readNftList,
    ...call,
  })

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

/** Parameters of {@link burnNft}. */
export type BurnNftParameters = KeyCallParameters & { collectionId: string; nftId: string }

/**
 * Burns a token that one of the project's custodial wallets holds; of a semi-fungible token, one copy of its
 * first recipient. Calling it again answers the same action, unless that burn failed.
 *
 * @returns The action. `waitForAction` tells when the token is gone from its chain.
 * @throws {@link KassaError} `api.conflict` if the token is not minted or another wallet holds it,
 * `api.not-found`, …
 * @source answers.md "Revised: Wallets, tokens, credentials"
 */
export const burnNft = async (
  client: Client,
  { collectionId, nftId, ...call }: BurnNftParameters,
): Promise<Action> =>
  requestBody(client, {
    operation: operations.burnNft,
    params: { collectionId, nftId },
    answer: readAction,
    ...call,
  })
