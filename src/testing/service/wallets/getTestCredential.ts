import { type Address, keccak256, stringToHex, type TypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { makeKey } from '../../../api/makeKey.js'
import { clip } from '../../../engine/clip.js'
import { parseAddress } from '../../../engine/evm/parseAddress.js'
import { parseTokenLocator, type TokenLocatorParts } from '../../../schema/tokenLocator.js'
import { badInput, HttpError } from '../httpError.js'
import type { Answer } from '../orders.js'
import type { TestWorld } from '../testWorld.js'
import { toUuid } from '../toUuid.js'
import { readChain } from './readChain.js'

/** What is signed of a credential, as EIP-712 describes it: every field of it but the signature itself. */
const credentialTypes = {
  // Libraries that hash the domain by its own type, such as eth-sig-util and Veramo, have to find it here.
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

/** Whose word the credentials of test services are. */
const account = privateKeyToAccount(keccak256(stringToHex('kassa test issuer')))
/** The address of the issuer of test services' credentials. */
export const issuer: Address = account.address

const validMs = 30 * 24 * 60 * 60_000
const primaryType = 'VerifiableCredential'
const context = [
  'https://www.w3.org/2018/credentials/v1',
  'https://w3id.org/security/suites/eip712sig-2021/v1',
]

type Holding = { token: TokenLocatorParts; chainId: number; owner: Address; nowMs: number }

const issue = async ({ token, chainId, owner, nowMs }: Holding) => {
  const { chain, contractAddress, tokenId } = token
  const didOf = (address: string): string => `did:pkh:eip155:${chainId}:${address}`
  const issuanceDate = new Date(nowMs).toISOString()
  const claims = {
    '@context': context,
    id: `urn:uuid:${toUuid(makeKey())}`,
    type: ['VerifiableCredential', 'NftOwnershipCredential'],
    issuer: { id: didOf(issuer) },
    issuanceDate,
    expirationDate: new Date(nowMs + validMs).toISOString(),
    credentialSubject: { id: didOf(owner) },
    nft: { tokenId, chain, contractAddress },
  }
  const proof = {
    type: 'EthereumEip712Signature2021',
    created: issuanceDate,
    proofPurpose: 'assertionMethod',
    verificationMethod: `${didOf(issuer)}#blockchainAccountId`,
  }
  const domain = { name: 'kassa', version: '1', chainId }
  const message = { ...claims, proof }
  const types: TypedData = credentialTypes
  const proofValue = await account.signTypedData({ domain, types, primaryType, message })
  return {
    ...claims,
    proof: { ...proof, proofValue, eip712: { domain, types: credentialTypes, primaryType } },
  }
}

const refuse = (what: string): HttpError => badInput(`nftLocator: ${what}`)

/** Issues a token's credential for its current holder. */
export const getTestCredential = async (world: TestWorld, nftLocator: string): Promise<Answer> => {
  const parts = parseTokenLocator(nftLocator)
  if (!parts) throw refuse('expected <chain>:<contractAddress>:<tokenId>')
  const { chainId } = readChain(world, 'nftLocator', parts.chain)
  const contractAddress = parseAddress(parts.contractAddress)
  if (!contractAddress) throw refuse(`${parts.contractAddress} is not an address on ${parts.chain}`)
  world.chains.mine()
  const owner = world.chains.tokens.ownerOf({ chainId, contractAddress, tokenId: BigInt(parts.tokenId) })
  if (!owner) throw new HttpError(404, `Token ${clip(nftLocator)} not found`)
  const token = { ...parts, contractAddress }
  return { status: 200, body: { value: await issue({ token, chainId, owner, nowMs: world.now() }) } }
}
