import { hexToBytes, sha256 } from 'viem'

/**
 * Returns 64 deterministic bytes in place of a signature, derived from the message. The keys of the service and of
 * test wallets do not exist. The test cluster checks that a transaction has signatures, and does not verify them.
 */
export const signBytes = (message: Uint8Array): Uint8Array<ArrayBuffer> => {
  const first = hexToBytes(sha256(message))
  return Uint8Array.from([...first, ...hexToBytes(sha256(first))])
}

/** Writes a transaction: its signatures, in the order of its signers, and its message. */
export const writeTransaction = (
  signatures: readonly Uint8Array[],
  message: Uint8Array,
): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([signatures.length, ...signatures.flatMap((signature) => [...signature]), ...message])
