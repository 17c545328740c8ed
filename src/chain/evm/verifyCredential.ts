import { type Address, getAddress, isAddress, isAddressEqual, isHex, recoverTypedDataAddress } from 'viem'
import { parseAddress as parseSolanaAddress } from '../../engine/solana/parseAddress.js'
import { readField } from '../../errors/readField.js'
import type { Credential } from '../../schema/index.js'
import { readCredentialAnswer } from '../../schema/walletReaders.js'

/** The EIP-712 types that a credential carries. */
type CredentialTypes = Record<string, readonly { name: string; type: string }[]>

const isMember = (member: unknown): boolean =>
  typeof readField(member, 'name') === 'string' && typeof readField(member, 'type') === 'string'

/** Reads types from an untrusted value; undefined if they are invalid. */
const readCredentialTypes = (value: unknown): CredentialTypes | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const isSound = Object.values(value).every((fields) => Array.isArray(fields) && fields.every(isMember))
  return isSound ? (value as CredentialTypes) : undefined
}

/** Whether the types name every field of the value. A signature covers only the fields its types name. */
const isCovered = (types: CredentialTypes, type: string, value: unknown): boolean => {
  const element = /^(.+)\[\d*\]$/.exec(type)?.[1]
  if (element !== undefined)
    return Array.isArray(value) && value.every((item) => isCovered(types, element, item))
  const fields = Object.hasOwn(types, type) ? types[type] : undefined
  if (!fields) return typeof value !== 'object'
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(value).every(([name, inner]) => {
    const field = fields.find((known) => known.name === name)
    return field !== undefined && isCovered(types, field.type, inner)
  })
}

/** Parameters of {@link verifyCredential} beside the credential. */
export type VerifyCredentialParameters = {
  /** The address of the issuer you trust, known beforehand: a credential may name any issuer. */
  issuer: Address
  /** Epoch milliseconds. By default this device's time. */
  nowMs?: number | undefined
}

/**
 * A fault of a credential.
 *
 * - `malformed`: it is not a credential, or its content cannot be read.
 * - `other-issuer`: another issuer made it.
 * - `not-signed`: the issuer did not sign it, or not all of it.
 * - `too-early`: it is not valid yet; `expired`: it is no longer valid.
 */
export type CredentialFault = 'malformed' | 'other-issuer' | 'not-signed' | 'too-early' | 'expired'

/** The result of {@link verifyCredential}: the holder the issuer named, or the fault. */
export type VerifiedCredential =
  | { credential: Credential; holder: string; fault?: undefined }
  | { fault: CredentialFault }

/** Two machines' clocks differ slightly. */
const clockSkewMs = 60_000

const readDid = (did: string): Address | undefined => {
  const [, address] = /^did:pkh:eip155:\d+:(0x[0-9a-fA-F]{40})$/.exec(did) ?? []
  return address && isAddress(address, { strict: false }) ? getAddress(address) : undefined
}

/** Reads the holder: an address on an EVM chain, or on Solana. */
const readHolder = (did: string): string | undefined => {
  const [, address] =
    /^did:pkh:solana:[1-9A-HJ-NP-Za-km-z]{32}:([1-9A-HJ-NP-Za-km-z]{32,44})$/.exec(did) ?? []
  return readDid(did) ?? (address === undefined ? undefined : parseSolanaAddress(address))
}

const isSigned = async ({ proof, ...claims }: Credential, issuer: Address): Promise<boolean> => {
  // The signature covers the whole content except itself and the types needed to verify it.
  const { proofValue: signature, eip712, ...rest } = proof
  const message = { ...claims, proof: rest }
  const types = readCredentialTypes(eip712?.types)
  if (!eip712 || !types || !isHex(signature)) return false
  const { domain, primaryType } = eip712
  if (!isCovered(types, primaryType, message)) return false
  try {
    const signer = await recoverTypedDataAddress({ domain, types, primaryType, message, signature })
    return isAddressEqual(signer, issuer)
  } catch {
    // The content has a value that cannot be signed this way.
    return false
  }
}

/**
 * Verifies a credential offline: its shape, the trusted issuer's signature over all of it (EIP-712), and its
 * dates. It states who held the token when it was issued. If the current holder matters, ask the chain. To
 * prove that they are the holder, the presenter signs a message of their own.
 *
 * @param given - A parsed credential from an untrusted source.
 * @param parameters - `issuer`, and `nowMs` for another clock.
 * @source answers.md "Credentials"
 * @example
 * ```ts
 * import { verifyCredential } from 'kassa/chain'
 *
 * export const letIn = async (shown: unknown) => {
 *   const issuer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
 *   const { fault } = await verifyCredential(shown, { issuer })
 *   return fault === undefined
 * }
 * ```
 */
export const verifyCredential = async (
  given: unknown,
  { issuer, nowMs = Date.now() }: VerifyCredentialParameters,
): Promise<VerifiedCredential> => {
  const answer = readCredentialAnswer({ value: given })
  if (answer.fault !== undefined) return { fault: 'malformed' }
  const credential = answer.data.value
  const { issuanceDate, expirationDate, proof } = credential
  const holder = readHolder(credential.credentialSubject.id)
  const named = readDid(credential.issuer.id)
  const startMs = Date.parse(issuanceDate)
  const endMs = expirationDate === undefined ? Number.POSITIVE_INFINITY : Date.parse(expirationDate)
  const isCredential = credential.type.includes('VerifiableCredential')
  if (!holder || !named || !isCredential || Number.isNaN(startMs) || Number.isNaN(endMs))
    return { fault: 'malformed' }
  const isByNamed = proof.verificationMethod.startsWith(`${credential.issuer.id}#`)
  if (!isAddressEqual(named, issuer) || !isByNamed) return { fault: 'other-issuer' }
  if (!(await isSigned(credential, issuer))) return { fault: 'not-signed' }
  if (startMs > nowMs + clockSkewMs) return { fault: 'too-early' }
  return endMs <= nowMs ? { fault: 'expired' } : { credential, holder }
}
