import type { Credential } from '../../schema/credential.js'
import type { TokenLocatorParts } from '../../schema/tokenLocator.js'

/** The signed data of a credential in EIP-712 types: every field except the signature. */
export const credentialTypes = {
  // Libraries that hash the domain by its own type, such as eth-sig-util and Veramo, need it here.
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ],
  VerifiableCredential: [
    { name: '@context', type: 'string[]' },
    { name: 'id', type: 'string' },
    { name: 'type', type: 'string[]' },
    { name: 'issuer', type: 'Issuer' },
    { name: 'issuanceDate', type: 'string' },
    { name: 'expirationDate', type: 'string' },
    { name: 'credentialSubject', type: 'CredentialSubject' },
    { name: 'nft', type: 'Nft' },
    { name: 'proof', type: 'Proof' },
  ],
  Issuer: [{ name: 'id', type: 'string' }],
  CredentialSubject: [{ name: 'id', type: 'string' }],
  Nft: [
    { name: 'tokenId', type: 'string' },
    { name: 'chain', type: 'string' },
    { name: 'contractAddress', type: 'string' },
  ],
  Proof: [
    { name: 'type', type: 'string' },
    { name: 'created', type: 'string' },
    { name: 'proofPurpose', type: 'string' },
    { name: 'verificationMethod', type: 'string' },
  ],
} as const satisfies Record<string, readonly { name: string; type: string }[]>

/** The same for a token that has an address of its own. */
const mintTypes = {
  ...credentialTypes,
  Nft: [
    { name: 'chain', type: 'string' },
    { name: 'mintHash', type: 'string' },
  ],
} as const

const describeToken = (token: TokenLocatorParts): Credential['nft'] => {
  if (token.mintHash !== undefined) return { chain: token.chain, mintHash: token.mintHash }
  const { chain, contractAddress, tokenId } = token
  return { tokenId, chain, contractAddress }
}

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
  /** The chain by its CAIP-2 id, such as `eip155:8453`. */
  caip2: string
  owner: string
  /** For subscriptions, in epoch seconds. */
  expiresAt: bigint | undefined
}

/** The data to sign: typed data of EIP-712. */
export type TypedData = {
  domain: Readonly<Record<string, unknown>>
  types: Readonly<Record<string, readonly { name: string; type: string }[]>>
  primaryType: string
  message: Readonly<Record<string, unknown>>
}

/** The signer of credentials. */
export type Issuer = {
  address: string
  /** @returns 65 bytes in hex. */
  sign(data: TypedData): Promise<string>
}

/** What a credential contains beside its statement. */
export type CredentialTerms = {
  /** A UUID. */
  id: string
  namespace: string
  nowMs: number
  issuer: Issuer
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
  { id, namespace, nowMs, issuer }: CredentialTerms,
  { token, caip2, owner, expiresAt }: Holding,
): Promise<Credential> => {
  const issuanceDate = new Date(nowMs).toISOString()
  // The issuer signs with an EVM key, which is of the main network where the token is on none of its family.
  const chainId = Number(/^eip155:(\d+)$/.exec(caip2)?.[1] ?? 1)
  const issuerId = `did:pkh:eip155:${chainId}:${issuer.address}`
  const claims = {
    '@context': context,
    id: `urn:uuid:${id}`,
    type: ['VerifiableCredential', 'NftOwnershipCredential'],
    issuer: { id: issuerId },
    issuanceDate,
    expirationDate: endOf(nowMs, expiresAt).toISOString(),
    credentialSubject: { id: `did:pkh:${caip2}:${owner}` },
    nft: describeToken(token),
  }
  const proof = {
    type: 'EthereumEip712Signature2021',
    created: issuanceDate,
    proofPurpose: 'assertionMethod',
    verificationMethod: `${issuerId}#blockchainAccountId`,
  }
  const domain = { name: namespace, version: '1', chainId }
  const message = { ...claims, proof }
  const types = token.mintHash === undefined ? credentialTypes : mintTypes
  const proofValue = await issuer.sign({ domain, types, primaryType, message })
  return { ...claims, proof: { ...proof, proofValue, eip712: { domain, types, primaryType } } }
}
