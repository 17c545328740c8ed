/**
 * A master key that data keys are encrypted under, wherever it is: in this process, in an HSM, or in a cloud's key
 * service, which is why everything it does may take a call over the network.
 */
export type KeyWrapper = {
  /** Tells it from other master keys, and nothing of the key itself; written beside what it wraps. Has no dot. */
  keyId: string
  /** Encrypts a data key. `context` is not kept with it: it has to be named again to open it. */
  wrap(dataKey: Uint8Array, context: string): Promise<Uint8Array>
  /** Decrypts what `wrap` made; fails under another context, and for what was altered. */
  unwrap(wrapped: Uint8Array, context: string): Promise<Uint8Array>
}
