import type { Hex } from 'viem'
import { createWebAuthnCredential, toWebAuthnAccount } from 'viem/account-abstraction'

/** What makes a passkey, as a browser is asked for it. */
export type NewCredential = {
  name: string
  rp: { id: string; name: string }
  excludeIds: readonly string[]
}

/**
 * Has the browser make a passkey of the one kind that chains can check: P-256, with the user verified.
 *
 * @returns Its id, and its public key as 64 bytes.
 */
export const createCredential = async ({
  name,
  rp,
  excludeIds,
}: NewCredential): Promise<{ id: string; publicKey: Hex }> => {
  const { id, publicKey } = await createWebAuthnCredential({
    // A device keeps one passkey for each user id: with one made of the name, the next of that name would take its
    // place, and the wallet that it opens with it.
    user: { id: crypto.getRandomValues(new Uint8Array(16)), name, displayName: name },
    rp,
    excludeCredentialIds: [...excludeIds],
    authenticatorSelection: {
      residentKey: 'preferred',
      requireResidentKey: false,
      userVerification: 'required',
    },
  })
  return { id, publicKey }
}

/** What a passkey signs, as the service takes it. */
export type PasskeySignature = {
  signature: { r: Hex; s: Hex }
  metadata: {
    authenticatorData: Hex
    clientDataJSON: string
    challengeIndex?: number
    typeIndex?: number
    userVerificationRequired?: boolean
  }
}

/** Has a passkey sign 32 bytes. Of the two signatures that fit it is always the one with the lower `s`. */
export const signWithCredential = async (
  id: string,
  message: Hex,
  rpId: string | undefined,
): Promise<PasskeySignature> => {
  // Who signs is found by its id; what its public key is, the chain knows.
  const account = toWebAuthnAccount({ credential: { id, publicKey: '0x' }, rpId })
  const { signature, webauthn } = await account.sign({ hash: message })
  const { authenticatorData, clientDataJSON, challengeIndex, typeIndex, userVerificationRequired } = webauthn
  return {
    signature: { r: `0x${signature.slice(2, 66)}`, s: `0x${signature.slice(66, 130)}` },
    metadata: {
      authenticatorData,
      clientDataJSON,
      ...(challengeIndex !== undefined && { challengeIndex }),
      ...(typeIndex !== undefined && { typeIndex }),
      ...(userVerificationRequired !== undefined && { userVerificationRequired }),
    },
  }
}
