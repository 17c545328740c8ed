import type { Credential, TokenLocatorParts } from 'kassa/schema'
import type { Deps } from '../deps.js'
import { createUuid } from '../lib/createUuid.js'
import { credentialTypes } from './credentialTypes.js'

const dayMs = 24 * 60 * 60_000
/** How long a credential is valid. The token may have another holder by then. */
const validMs = 30 * dayMs
/** The last time with a four-digit year. */
const lastMs = 253_402_300_799_000n

const primaryType = 'VerifiableCredential'
const context = [
  'https://www.w3.org/2018/credentials/v1',
  'https://w3id.org/security/suites/eip712sig-2021/v1',
]

/** The statement of a credential: that an address holds a token. */
export type Holding = {
  token: TokenLocatorParts
  chainId: number
  owner: string
  /** For subscriptions, in epoch seconds. */
  expiresAt: bigint | undefined
}

const endOf = (nowMs: number, expiresAt: bigint | undefined): Date => {
  const usual = nowMs + validMs
  if (expiresAt === undefined) return new Date(usual)
  const endMs = expiresAt * 1000n
  return new Date(Math.min(usual, Number(endMs < lastMs ? endMs : lastMs)))
}

/**
 * Issues a credential, signed by EIP-712 and containing all that verifying it takes. It ends after thirty
 * days, or with its subscription. For a subscription that is over, the credential's own end has passed, so
 * that verifiers reject it.
 *
 * @source answers.md "Credentials"
 */
export const issueCredential = async (
  deps: Pick<Deps, 'issuer' | 'config' | 'now' | 'randomBytes'>,
  { token, chainId, owner, expiresAt }: Holding,
): Promise<Credential> => {
  const { chain, contractAddress, tokenId } = token
  const nowMs = deps.now()
  const issuanceDate = new Date(nowMs).toISOString()
  const didOf = (address: string) => `did:pkh:eip155:${chainId}:${address}`
  const issuerId = didOf(deps.issuer.address)
  const claims = {
    '@context': context,
    id: `urn:uuid:${createUuid(deps.randomBytes)}`,
    type: ['VerifiableCredential', 'NftOwnershipCredential'],
    issuer: { id: issuerId },
    issuanceDate,
    expirationDate: endOf(nowMs, expiresAt).toISOString(),
    credentialSubject: { id: didOf(owner) },
    nft: { tokenId, chain, contractAddress },
  }
  const proof = {
    type: 'EthereumEip712Signature2021',
    created: issuanceDate,
    proofPurpose: 'assertionMethod',
    verificationMethod: `${issuerId}#blockchainAccountId`,
  }
  const domain = { name: deps.config.namespace, version: '1', chainId }
  const message = { ...claims, proof }
  const proofValue = await deps.issuer.sign({ domain, types: credentialTypes, primaryType, message })
  return {
    ...claims,
    proof: { ...proof, proofValue, eip712: { domain, types: credentialTypes, primaryType } },
  }
}
