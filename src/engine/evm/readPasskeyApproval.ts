import {
  concatBytes,
  encodeAbiParameters,
  type Hex,
  hexToBytes,
  isHex,
  sha256,
  stringToBytes,
  toHex,
} from 'viem'
import type { Approval } from '../../schema/transactionInput.js'
import { toBase64url } from '../base64url.js'

type PasskeyApproval = Extract<Approval, { metadata: unknown }>

/** The order of P-256. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const maxAuthenticatorBytes = 1024

const isPresent = 0x01
const isVerified = 0x04
const canBeBackedUp = 0x08
const isBackedUp = 0x10

/** The contract reads no JSON and finds the relevant members by position. */
const memberNames = { type: '"type":"webauthn.get"', challenge: '"challenge":"' }

const signatureParameters = [
  { type: 'bytes32' },
  { type: 'bytes32' },
  { type: 'uint256' },
  { type: 'uint256' },
  { type: 'bytes' },
  { type: 'string' },
] as const

const toWord = (number: bigint): Hex => toHex(number, { size: 32 })

const findClientDataFault = (clientDataJSON: string, challenge: string): string | undefined => {
  let data: unknown
  try {
    data = JSON.parse(clientDataJSON)
  } catch {
    return 'its clientDataJSON is not JSON'
  }
  if (typeof data !== 'object' || data === null) return 'its clientDataJSON is not an object'
  if (Reflect.get(data, 'type') !== 'webauthn.get')
    return 'its clientDataJSON is not of the type webauthn.get'
  return Reflect.get(data, 'challenge') === challenge ? undefined : 'its challenge is for another message'
}

const findFlagsFault = (flags: number | undefined): string | undefined => {
  if (flags === undefined) return 'its authenticatorData are too short'
  if (!(flags & isPresent)) return 'its authenticator did not detect the user'
  if (!(flags & isVerified)) return 'its authenticator did not verify the user'
  if (flags & isBackedUp && !(flags & canBeBackedUp))
    return 'the flags of its authenticatorData contradict each other'
  return undefined
}

const readScalar = (text: string): bigint | undefined => {
  const number = BigInt(text)
  return number > 0n && number < order ? number : undefined
}

/**
 * Returns the smaller of the two `s` of a signature, the only one that the wallet's contract accepts.
 * Authenticators return either. Both encode to the same bytes, so the other one does not count as a second
 * approval.
 */
const toLower = (s: bigint): bigint => (s > order / 2n ? order - s : s)

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

const importKey = async ({ x, y }: { x: string; y: string }) => {
  const point = concatBytes([Uint8Array.of(4), hexToBytes(toWord(BigInt(x))), hexToBytes(toWord(BigInt(y)))])
  return globalThis.crypto.subtle.importKey('raw', new Uint8Array(point), algorithm, false, ['verify'])
}

/** Whether bytes carry a key's signature over P-256. No point of the curve, no signature. */
const isSignature = async (
  publicKey: { x: string; y: string },
  signed: Uint8Array,
  rs: Uint8Array,
): Promise<boolean> => {
  const key = await importKey(publicKey).catch(() => undefined)
  if (!key) return false
  return globalThis.crypto.subtle.verify(algorithm, key, new Uint8Array(rs), new Uint8Array(signed))
}

/**
 * Checks a passkey's signature as the wallet's contract will (WebAuthn over P-256, with the user verified),
 * and encodes it in the form that the contract accepts. It searches the JSON for the members' positions
 * instead of trusting the caller's. Like the contract, it does not check the page and its domain.
 */
export const readPasskeyApproval = async (
  publicKey: { x: string; y: string },
  message: Hex,
  { signature, metadata }: PasskeyApproval,
): Promise<{ signature: Hex } | { fault: string }> => {
  const { authenticatorData, clientDataJSON } = metadata
  const [r, s] = [readScalar(signature.r), readScalar(signature.s)]
  if (r === undefined || s === undefined) return { fault: 'r and s are no signature over P-256' }
  const challenge = toBase64url(hexToBytes(message))
  const clientDataFault = findClientDataFault(clientDataJSON, challenge)
  if (clientDataFault !== undefined) return { fault: clientDataFault }
  if (!isHex(authenticatorData)) return { fault: 'its authenticatorData are not hex' }
  const authenticator = hexToBytes(authenticatorData)
  if (authenticator.length > maxAuthenticatorBytes) return { fault: 'its authenticatorData are too long' }
  const flagsFault = findFlagsFault(authenticator.length > 36 ? authenticator[32] : undefined)
  if (flagsFault !== undefined) return { fault: flagsFault }
  const findIndex = (text: string): bigint | undefined => {
    const at = clientDataJSON.indexOf(text)
    return at < 0 ? undefined : BigInt(stringToBytes(clientDataJSON.slice(0, at)).length)
  }
  const typeIndex = findIndex(memberNames.type)
  const challengeIndex = findIndex(`${memberNames.challenge}${challenge}"`)
  if (typeIndex === undefined || challengeIndex === undefined)
    return { fault: 'its clientDataJSON is not serialized as browsers do' }
  const signed = concatBytes([authenticator, sha256(stringToBytes(clientDataJSON), 'bytes')])
  const rs = concatBytes([hexToBytes(toWord(r)), hexToBytes(toWord(s))])
  if (!(await isSignature(publicKey, signed, rs)))
    return { fault: 'it is not the signature of this passkey over this message' }
  const written = [toWord(r), toWord(toLower(s)), challengeIndex, typeIndex] as const
  return {
    signature: encodeAbiParameters(signatureParameters, [...written, authenticatorData, clientDataJSON]),
  }
}
