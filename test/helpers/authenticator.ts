import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What a browser throws when its user declines. */
export const declined = () => new DOMException('The operation was not allowed.', 'NotAllowedError')

type Creation = { publicKey: PublicKeyCredentialCreationOptions }
type Assertion = { publicKey: PublicKeyCredentialRequestOptions }

const origin = 'https://shop.example'
const hash = (data: Uint8Array): Buffer => createHash('sha256').update(data).digest()

/** The bytes of a buffer of any kind, as a page gets them. */
const toBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

/** What the browser says of itself, which the authenticator signs with the rest. */
const writeClientData = (type: string, challenge: Uint8Array): Buffer =>
  Buffer.from(
    JSON.stringify({
      type,
      challenge: Buffer.from(challenge).toString('base64url'),
      origin,
      crossOrigin: false,
    }),
  )

const toBytes = (source: BufferSource): Uint8Array =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)

/** An authenticator in memory, in the place of `navigator.credentials`: keys and signatures are real. */
export const createAuthenticator = () => {
  const keys = new Map<string, { privateKey: KeyObject; x: string; y: string }>()
  const asked: (Creation | Assertion)[] = []
  const script: { refuse?: () => Error } = {}
  const create = async (options: Creation) => {
    asked.push(options)
    if (script.refuse) throw script.refuse()
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const id = randomBytes(16)
    keys.set(id.toString('base64url'), { privateKey, x, y })
    const spki = publicKey.export({ format: 'der', type: 'spki' })
    const clientData = writeClientData('webauthn.create', toBytes(options.publicKey.challenge))
    return {
      id: id.toString('base64url'),
      rawId: toBuffer(id),
      type: 'public-key',
      response: {
        clientDataJSON: toBuffer(clientData),
        attestationObject: new ArrayBuffer(0),
        getPublicKey: () => toBuffer(spki),
        getPublicKeyAlgorithm: () => -7,
      },
      getClientExtensionResults: () => ({}),
    }
  }
  const get = async (options: Assertion) => {
    asked.push(options)
    if (script.refuse) throw script.refuse()
    const [allowed] = options.publicKey.allowCredentials ?? []
    const id = allowed ? Buffer.from(toBytes(allowed.id)).toString('base64url') : ''
    const known = keys.get(id)
    if (!known) throw declined()
    // Present and verified; the counter of a passkey that is synchronized stays at nought.
    const authenticatorData = Buffer.concat([
      hash(Buffer.from('shop.example')),
      Buffer.from([0x05, 0, 0, 0, 0]),
    ])
    const clientData = writeClientData('webauthn.get', toBytes(options.publicKey.challenge))
    const signature = sign('sha256', Buffer.concat([authenticatorData, hash(clientData)]), known.privateKey)
    return {
      id,
      rawId: toBuffer(Buffer.from(id, 'base64url')),
      type: 'public-key',
      response: {
        clientDataJSON: toBuffer(clientData),
        authenticatorData: toBuffer(authenticatorData),
        signature: toBuffer(signature),
      },
      getClientExtensionResults: () => ({}),
    }
  }
  return { keys, asked, script, credentials: { create, get } }
}
