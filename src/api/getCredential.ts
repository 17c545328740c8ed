import type { Credential } from '../schema/index.js'
import { readCredentialAnswer } from '../schema/walletReaders.js'
import type { Client } from './client.js'
import { fillPath } from './fillPath.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link getCredential}. */
export type GetCredentialParameters = KeyCallParameters & {
  /** `<chain>:<contractAddress>:<tokenId>`, which a token's `locator` is. */
  nftLocator: string
}

/**
 * Gets the credential of a token: the issuer's signed word on who holds it at this moment. It is checked without the
 * service, by any library that knows EIP-712.
 *
 * @throws {@link KassaError} `api.not-found` for a token that there is not, or not any more, …
 * @source interface.md "Credential"; answers.md "Credentials"
 */
export const getCredential = async (
  client: Client,
  { nftLocator, ...call }: GetCredentialParameters,
): Promise<Credential> => {
  const { value } = await requestBody(client, {
    method: 'GET',
    path: fillPath('/v1-alpha1/nfts/{nftLocator}/credentials', { nftLocator }),
    answer: readCredentialAnswer,
    ...call,
  })
  return value
}
