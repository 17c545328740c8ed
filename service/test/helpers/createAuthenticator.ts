import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

/** Encodes the few kinds of CBOR values that an attestation has. */
const encode = (value: unknown): Buffer => {
  const head = (major: number, size: number) => {
    if (size < 24) return Buffer.from([(major << 5) | size])
    return size < 256
      ? Buffer.from([(major << 5) | 24, size])
      : Buffer.from([(major << 5) | 25, size >> 8, size & 255])
  }
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  const entries = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([head(5, entries.length), ...entries.flat().map(encode)])
}

/** How an authenticator may deviate. */
export type AuthenticatorChange = { flags?: number; origin?: string; rpId?: string; counter?: number }

const present = 0x01
const verified = 0x04
const attested = 0x40

/** Flags of an authenticator that saw its user and did not verify who it is. */
export const unverified = present

/** Creates a passkey as browsers and authenticators do. Its bytes come from another library than the service's. */
export const createAuthenticator = (publicUrl: string) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(16)
  const id = credentialId.toString('base64url')
  const { hostname, origin: ownOrigin } = new URL(publicUrl)
  let counter = 0

  const writeClientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const writeData = (flags: number, { rpId = hostname, counter: count = counter }: AuthenticatorChange) => {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(count)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), number])
  }
  const shared = { id, rawId: id, type: 'public-key', clientExtensionResults: {} }
  return {
    id,
    register: (challenge: string, change: AuthenticatorChange = {}) => {
      const cose = encode(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const authData = Buffer.concat([
        writeData((change.flags ?? present | verified) | attested, change),
        Buffer.alloc(16),
        Buffer.from([0, credentialId.length]),
        credentialId,
        cose,
      ])
      const attestation = encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      )
      const clientData = writeClientData('webauthn.create', challenge, change.origin ?? ownOrigin)
      return {
        ...shared,
        response: {
          clientDataJSON: clientData.toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    signIn: (challenge: string, change: AuthenticatorChange = {}) => {
      counter++
      const clientData = writeClientData('webauthn.get', challenge, change.origin ?? ownOrigin)
      const data = writeData(change.flags ?? present | verified, change)
      const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)
      return {
        ...shared,
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}
