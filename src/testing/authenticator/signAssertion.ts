import { concatBytes, sha256, stringToBytes } from 'viem'
import { toBase64url } from '../../engine/base64url.js'

/** How passkeys sign: the one kind that chains can check. */
export const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** What the browser says of itself, which is signed with the rest. */
export const writeClientData = (
  type: 'webauthn.create' | 'webauthn.get',
  challenge: Uint8Array,
): Uint8Array =>
  stringToBytes(
    JSON.stringify({
      type,
      challenge: toBase64url(challenge),
      origin: globalThis.location?.origin ?? 'https://shop.test',
      crossOrigin: false,
    }),
  )

/** A number as ASN.1 has it: without leading zeros, but for one where it would be read as negative. */
const toInteger = (bytes: Uint8Array): Uint8Array => {
  const start = bytes.findIndex((byte) => byte !== 0)
  const digits = bytes.subarray(start)
  const isNegative = (digits[0] ?? 0) >= 0x80
  const content = isNegative ? concatBytes([Uint8Array.of(0), digits]) : digits
  return concatBytes([Uint8Array.of(2, content.length), content])
}

/** Writes a signature as authenticators do. */
const toDer = (rs: Uint8Array): Uint8Array => {
  const content = concatBytes([toInteger(rs.subarray(0, 32)), toInteger(rs.subarray(32, 64))])
  return concatBytes([Uint8Array.of(0x30, content.length), content])
}

// Present and verified; the counter of a passkey that is synchronized stays at nought.
const flagsAndCounter = Uint8Array.of(0x05, 0, 0, 0, 0)

/** Signs a challenge as a passkey of a domain does (WebAuthn). */
export const signAssertion = async (privateKey: CryptoKey, challenge: Uint8Array, rpId: string) => {
  const authenticatorData = concatBytes([sha256(stringToBytes(rpId), 'bytes'), flagsAndCounter])
  const clientData = writeClientData('webauthn.get', challenge)
  const signed = concatBytes([authenticatorData, sha256(clientData, 'bytes')])
  const rs = await globalThis.crypto.subtle.sign(algorithm, privateKey, new Uint8Array(signed))
  return { authenticatorData, clientData, signature: toDer(new Uint8Array(rs)) }
}
