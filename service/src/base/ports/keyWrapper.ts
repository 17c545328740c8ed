/**
 * A master key that data keys are encrypted under. It may be in this process, in an HSM, or in a cloud's key
 * service, so every operation may take a network call.
 */
export type KeyWrapper = {
  /**
   * Distinguishes it from other master keys without revealing the key. It is stored with the wrapped key and
   * has no dot.
   */
  keyId: string
  /** Encrypts a data key. `context` is not stored with it, and is needed again to decrypt it. */
  wrap(dataKey: Uint8Array, context: string): Promise<Uint8Array>
  /** Decrypts a key from `wrap`. Fails under another context, and if the data was altered. */
  unwrap(wrapped: Uint8Array, context: string): Promise<Uint8Array>
}
