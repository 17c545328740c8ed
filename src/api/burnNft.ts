import type { Action } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readAction } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

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
