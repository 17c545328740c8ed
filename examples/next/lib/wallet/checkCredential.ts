import { type CredentialFault, verifyCredential } from 'kassa/chain'
import type { Credential } from 'kassa/schema'
import type { Address } from 'viem'
import { isSameAddress } from '../delivery'

/**
 * The result of checking a credential: a fault, or the holder it names and whether they still own the token.
 */
export type CheckedCredential =
  | { fault: CredentialFault | 'issuer-unknown' }
  /** `isOwner` is undefined when the chain could not be asked. */
  | { fault?: undefined; holder: string; isOwner: boolean | undefined }

/** The dependencies of {@link checkCredential}. */
export type CheckCredentialOptions = {
  /**
   * The trusted issuer from this shop's configuration, not from the credential; undefined if not configured.
   */
  issuer: Address | undefined
  nowMs: number
  /** Returns the token's owner according to the chain; undefined when it does not answer. */
  findOwner(nft: Credential['nft']): Promise<string | undefined>
}

/** Checks a credential's signature by the trusted issuer, its dates, and its agreement with the chain. */
export const checkCredential = async (
  credential: Credential,
  { issuer, nowMs, findOwner }: CheckCredentialOptions,
): Promise<CheckedCredential> => {
  if (!issuer) return { fault: 'issuer-unknown' }
  const [verified, owner] = await Promise.all([
    verifyCredential(credential, { issuer, nowMs }),
    findOwner(credential.nft),
  ])
  if (verified.fault !== undefined) return { fault: verified.fault }
  const { holder } = verified
  if (owner === undefined) return { holder, isOwner: undefined }
  return { holder, isOwner: isSameAddress(owner, holder) }
}
