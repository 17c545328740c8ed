import { CredentialAnswer } from 'kassa/schema'
import { getCredential } from '#holdings/credentials/getCredential.js'
import { defineRoute, type Route } from './route.js'

/** Operations on credentials. */
export const credentialRoutes: readonly Route[] = [
  defineRoute('getCredential', {
    summary: 'Get the credential of an NFT',
    description:
      'Issues a W3C verifiable credential, signed by EIP-712, that states the current holder of a token. It expires after thirty days, or with the subscription if that is sooner. Semi-fungible tokens have no credentials.',
    answer: { status: 200, schema: CredentialAnswer, description: 'The credential' },
    refusals: ['input-invalid', 'not-found', 'chain-unavailable'],
    run: (deps, call, { params }) => getCredential(deps, call, { nftLocator: params.nftLocator ?? '' }),
  }),
]
