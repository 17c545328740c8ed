import type { Hex } from 'viem'
import { createWebAuthnCredential, toWebAuthnAccount } from 'viem/account-abstraction'

/** The options for creating a passkey in the browser. */
export type NewCredential = {
  name: string
  rp: { id: string; name: string }
  excludeIds: readonly string[]
}

/**
 * Creates a passkey of the only kind that chains can verify: P-256, with user verification.
 *
 * @returns Its id, and its public key as 64 bytes.
 */
export const createCredential = async ({
  name,
  rp,
  excludeIds,
}: NewCredential): Promise<{ id: string; publicKey: Hex }> => {
  const { id, publicKey } = await createWebAuthnCredential({
    // A device keeps one passkey per user id. An id derived from the name would let the next passkey of that
    // name replace this one, and lock its wallet.
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

/** A passkey's signature in the service's form. */
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

/** Signs 32 bytes with a passkey. Of the two valid signatures it returns the one with the lower `s`. */
export const signWithCredential = async (
  id: string,
  message: Hex,
  rpId: string | undefined,
): Promise<PasskeySignature> => {
  // The id selects the passkey; the chain knows its public key.
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
