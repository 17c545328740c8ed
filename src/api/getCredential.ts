import type { Credential } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readCredentialAnswer } from '../schema/walletReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link getCredential}. */
export type GetCredentialParameters = KeyCallParameters & {
  /** `<chain>:<contractAddress>:<tokenId>`, which a token's `locator` is. */
  nftLocator: string
}

/**
 * Gets a token's credential: the issuer's signed statement about its current holder. Any library with EIP-712
 * can verify it without the service.
 *
 * @throws {@link KassaError} `api.not-found` for a token that there is not, or not any more, …
 * @source interface.md "Credential"; answers.md "Credentials"
 */
export const getCredential = async (
  client: Client,
  { nftLocator, ...call }: GetCredentialParameters,
): Promise<Credential> => {
  const { value } = await requestBody(client, {
    operation: operations.getCredential,
    params: { nftLocator },
    answer: readCredentialAnswer,
    ...call,
  })
  return value
}
