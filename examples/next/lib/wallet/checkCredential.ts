import { type CredentialFault, verifyCredential } from 'kassa/chain'
import type { Credential } from 'kassa/schema'
import { type Address, isAddress, isAddressEqual } from 'viem'

/** What a credential was found to be: what is wrong with it, or whom it names and whether that is still so. */
export type CheckedCredential =
  | { fault: CredentialFault | 'issuer-unknown' }
  /** `isOwner` is undefined when the chain was not to be asked. */
  | { fault?: undefined; holder: Address; isOwner: boolean | undefined }

/** What {@link checkCredential} needs from outside. */
export type CheckCredentialOptions = {
  /** Whose word counts, as this shop has it and not as the credential says; undefined where nobody told the shop. */
  issuer: Address | undefined
  nowMs: number
  /** Whom the chain names as the owner of the token; undefined when it does not answer. */
  findOwner(nft: Credential['nft']): Promise<string | undefined>
}

/** Checks a credential: that the issuer the shop believes has signed it, its dates, and whether the chain says the same. */
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
  return { holder, isOwner: isAddress(owner, { strict: false }) && isAddressEqual(holder, owner) }
}
