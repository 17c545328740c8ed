import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { Approval } from 'kassa/schema'
import { encodeAbiParameters, type Hex, hexToBytes, isHex, sha256, stringToBytes } from 'viem'
import { toWord } from './smartWalletAddress.js'

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

const toBase64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

const openKey = ({ x, y }: { x: string; y: string }): KeyObject | undefined => {
  const [jwkX, jwkY] = [x, y].map((number) => toBase64url(hexToBytes(toWord(number))))
  try {
    return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: jwkX ?? '', y: jwkY ?? '' } })
  } catch {
    return undefined
  }
}

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
  return Reflect.get(data, 'challenge') === challenge ? undefined : 'its challenge is another message'
}

const findFlagsFault = (flags: number | undefined): string | undefined => {
  if (flags === undefined) return 'its authenticatorData are too short'
  if (!(flags & isPresent)) return 'its authenticator saw no user'
  if (!(flags & isVerified)) return 'its authenticator did not verify the user'
  if (flags & isBackedUp && !(flags & canBeBackedUp))
    return 'the flags of its authenticatorData contradict each other'
  return undefined
}

/**
 * Returns the smaller of the two `s` of a signature, the only one that the wallet's contract accepts.
 * Authenticators return either. Both encode to the same bytes, so the other one does not count as a second
 * approval.
 */
const toLower = (s: bigint): bigint => (s > order / 2n ? order - s : s)

const readScalar = (text: string): bigint | undefined => {
  const number = BigInt(text)
  return number > 0n && number < order ? number : undefined
}

/**
 * Checks a passkey's signature as the wallet's contract will (WebAuthn over P-256, with the user verified),
 * and encodes it in the form that the contract accepts. It searches the JSON for the members' positions
 * instead of trusting the caller's.
 */
export const readPasskeyApproval = (
  publicKey: { x: string; y: string },
  message: Hex,
  { signature, metadata }: PasskeyApproval,
): { signature: Hex } | { fault: string } => {
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
  const clientData = Buffer.from(stringToBytes(clientDataJSON))
  const typeIndex = clientData.indexOf(memberNames.type)
  const challengeIndex = clientData.indexOf(`${memberNames.challenge}${challenge}"`)
  if (typeIndex < 0 || challengeIndex < 0)
    return { fault: 'its clientDataJSON is not written as browsers do' }
  const key = openKey(publicKey)
  const signed = Buffer.concat([authenticator, sha256(clientData, 'bytes')])
  const rs = Buffer.concat([r, s].map((number) => hexToBytes(toWord(number.toString()))))
  if (!key || !verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, rs)) {
    return { fault: 'it is not the signature of this passkey over this message' }
  }
  const written = [
    toWord(r.toString()),
    toWord(toLower(s).toString()),
    BigInt(challengeIndex),
    BigInt(typeIndex),
  ] as const
  return {
    signature: encodeAbiParameters(signatureParameters, [...written, authenticatorData, clientDataJSON]),
  }
}
