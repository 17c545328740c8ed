import type { Credential } from 'kassa/schema'
import { type Address, getAddress, type Hex, isAddress, isAddressEqual, recoverTypedDataAddress } from 'viem'
import { isRecord } from '../read'

/** What a credential was found to be. It counts when all of it is so. */
export type CheckedCredential = {
  /** Whether whom it names as its issuer has signed it, every word of it. */
  isSigned: boolean
  /** Whether its time has come, and is not over. */
  isRunning: boolean
  /** Whether the chain names the same owner now; undefined when the chain was not to be asked. */
  isOwner: boolean | undefined
}

/** What {@link verifyCredential} needs from outside. */
export type VerifyCredentialOptions = {
  nowMs: number
  /** Whom the chain names as the owner of the token; undefined when it does not answer. */
  findOwner(nft: Credential['nft']): Promise<string | undefined>
}

type Types = Record<string, readonly { name: string; type: string }[]>

/** The address in a DID such as `did:pkh:eip155:1:0x…`. */
export const readDid = (did: string): Address | undefined => {
  const [, address] = /^did:pkh:eip155:\d+:(0x[0-9a-fA-F]{40})$/.exec(did) ?? []
  return address && isAddress(address, { strict: false }) ? getAddress(address) : undefined
}

const readTypes = (value: unknown): Types | undefined => {
  const isMember = (member: unknown): boolean =>
    isRecord(member) && typeof member.name === 'string' && typeof member.type === 'string'
  const isSound =
    isRecord(value) && Object.values(value).every((fields) => Array.isArray(fields) && fields.every(isMember))
  return isSound ? (value as Types) : undefined
}

/** A signature holds for the fields that its types name, and for no others: so they have to name them all. */
const isCovered = (types: Types, type: string, value: unknown): boolean => {
  const element = /^(.+)\[\d*\]$/.exec(type)?.[1]
  if (element) return Array.isArray(value) && value.every((item) => isCovered(types, element, item))
  const fields = types[type]
  if (!fields) return !isRecord(value) && !Array.isArray(value)
  return (
    isRecord(value) &&
    Object.entries(value).every(([name, inner]) => {
      const field = fields.find((known) => known.name === name)
      return field !== undefined && isCovered(types, field.type, inner)
    })
  )
}

const isSigned = async ({ proof, ...claims }: Credential): Promise<boolean> => {
  // What was signed is all of it, but the signature itself and what it takes to check it.
  const { proofValue, eip712, ...rest } = proof
  const message = { ...claims, proof: rest }
  const issuer = readDid(claims.issuer.id)
  const types = readTypes(eip712?.types)
  if (!eip712 || !issuer || !types || !proof.verificationMethod.startsWith(claims.issuer.id)) return false
  const { domain, primaryType } = eip712
  if (!isCovered(types, primaryType, message)) return false
  try {
    const signer = await recoverTypedDataAddress({
      domain,
      types,
      primaryType,
      message,
      signature: proofValue as Hex,
    })
    return isAddressEqual(signer, issuer)
  } catch {
    // It says something that cannot be signed that way.
    return false
  }
}

const isOwner = async (
  credential: Credential,
  findOwner: VerifyCredentialOptions['findOwner'],
): Promise<boolean | undefined> => {
  const subject = readDid(credential.credentialSubject.id)
  const owner = await findOwner(credential.nft)
  if (owner === undefined) return undefined
  return (
    subject !== undefined && isAddress(owner, { strict: false }) && isAddressEqual(subject, getAddress(owner))
  )
}

/**
 * Checks a credential without asking whoever issued it: its signature by EIP-712, its dates, and whether the chain
 * says the same. Whom to believe is for the reader to decide: it proves what the issuer it names has said.
 */
export const verifyCredential = async (
  credential: Credential,
  { nowMs, findOwner }: VerifyCredentialOptions,
): Promise<CheckedCredential> => {
  const { issuanceDate, expirationDate } = credential
  const [signed, owned] = await Promise.all([isSigned(credential), isOwner(credential, findOwner)])
  return {
    isSigned: signed,
    // The clocks of two machines differ a little.
    isRunning:
      Date.parse(issuanceDate) <= nowMs + 60_000 && (!expirationDate || Date.parse(expirationDate) > nowMs),
    isOwner: owned,
  }
}
