/**
 * Encrypts secrets at rest: custodial keys and webhook signing secrets. `context` identifies the secret's
 * owner, and decryption under another context fails.
 */
export type Vault = {
  /** The id of the master key that it encrypts under. */
  keyId: string
  /** Whether it can decrypt secrets under a master key. */
  hasKey(keyId: string): boolean
  encrypt(secret: Uint8Array, context: string): Promise<string>
  decrypt(encrypted: string, context: string): Promise<Uint8Array>
  /**
   * Re-encrypts a secret under the current master key. A secret that is already under it is returned
   * unchanged.
   */
  rewrap(encrypted: string, context: string): Promise<string>
}

/** Returns the context that binds an encrypted key to its wallet. */
export const walletContext = (walletId: string): string => `wallet:${walletId}`

/** Returns the context that binds an encrypted secret to its webhook endpoint. */
export const endpointContext = (endpointId: string): string => `webhook-endpoint:${endpointId}`

/** Returns the id of the master key that a secret is encrypted under, or `undefined` if no vault wrote it. */
export const keyIdOf = (encrypted: string): string | undefined => /^v2\.([^.]+)\./.exec(encrypted)?.[1]
