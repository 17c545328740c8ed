import { type Address, getAddress, isAddress, isAddressEqual, isHex, recoverTypedDataAddress } from 'viem'
import type { Credential } from '../schema/index.js'
import { readCredentialAnswer } from '../schema/walletReaders.js'
import { isCovered, readCredentialTypes } from './credentialCoverage.js'

/** What {@link verifyCredential} takes beside the credential. */
export type VerifyCredentialParameters = {
  /** The address of the issuer that you believe, known beforehand: a credential may name anybody. */
  issuer: Address
  /** Epoch milliseconds; the time of this device by default. */
  nowMs?: number | undefined
}

/**
 * What is wrong with a credential.
 *
 * - `malformed`: it is none, or says what cannot be read.
 * - `other-issuer`: it is the word of somebody else, whatever that is worth.
 * - `not-signed`: the issuer did not sign it, or not every word of it.
 * - `too-early`: its time has not come; `expired`: it is over.
 */
export type CredentialFault = 'malformed' | 'other-issuer' | 'not-signed' | 'too-early' | 'expired'

/** What {@link verifyCredential} found: whom the issuer named as the holder, or what is wrong. */
export type VerifiedCredential =
  | { credential: Credential; holder: Address; fault?: undefined }
  | { fault: CredentialFault }

/** The clocks of two machines differ a little. */
const clockSkewMs = 60_000

const readDid = (did: string): Address | undefined => {
  const [, address] = /^did:pkh:eip155:\d+:(0x[0-9a-fA-F]{40})$/.exec(did) ?? []
  return address && isAddress(address, { strict: false }) ? getAddress(address) : undefined
}

const isSigned = async ({ proof, ...claims }: Credential, issuer: Address): Promise<boolean> => {
  // All that it says is signed, but for the signature itself and what it takes to check it.
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
    // It says something that cannot be signed that way.
    return false
  }
}

/**
 * Checks a credential without asking whoever issued it: its shape, that the issuer you believe has signed every word
 * of it (EIP-712), and its dates. It says who held the token when it was issued. Who holds it at this moment is for you
 * to ask the chain, where that matters; that whoever shows it is the holder, they prove by a signature of their own.
 *
 * @param given - A credential from anywhere, as it was parsed.
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
  const holder = readDid(credential.credentialSubject.id)
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
