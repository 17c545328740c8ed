const signatureBytes = 64

/** A transaction as it is sent: its signatures, and the message they sign. */
export type WireTransaction = { signatures: readonly Uint8Array[]; message: Uint8Array }

/** Writes bytes in base64. */
export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Reads base64; undefined if the text is something else. */
export const fromBase64 = (text: string): Uint8Array | undefined => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Writes a message of one signer as a transaction without its signature. */
export const writeUnsigned = (message: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(1 + signatureBytes + message.length)
  bytes[0] = 1
  bytes.set(message, 1 + signatureBytes)
  return bytes
}

/** Reads a transaction; undefined if it is cut short, or of more signers than a payment ever has. */
export const readTransaction = (bytes: Uint8Array): WireTransaction | undefined => {
  const count = bytes[0] ?? 0
  const start = 1 + count * signatureBytes
  if (count < 1 || count > 127 || bytes.length <= start) return undefined
  const signatures = Array.from({ length: count }, (_, index) =>
    bytes.slice(1 + index * signatureBytes, 1 + (index + 1) * signatureBytes),
  )
  return { signatures, message: bytes.slice(start) }
}
