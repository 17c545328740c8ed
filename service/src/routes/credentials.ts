import { CredentialAnswer } from 'kassa/schema'
import { getCredential } from '../credentials/getCredential.js'
import { defineRoute, type Route } from './route.js'

/** Operations on credentials. */
export const credentialRoutes: readonly Route[] = [
  defineRoute('getCredential', {
    summary: 'Get the credential of an NFT',
    description:
      'A W3C verifiable credential that says who holds a token now, signed by EIP-712. It ends after thirty days, or with the subscription, if that is sooner: of one that is over, it has ended already. There is none of semi-fungible tokens.',
    answer: { status: 200, schema: CredentialAnswer, description: 'The credential' },
    refusals: ['input-invalid', 'not-found', 'chain-unavailable'],
    run: (deps, call, { params }) => getCredential(deps, call, { nftLocator: params.nftLocator ?? '' }),
  }),
]
