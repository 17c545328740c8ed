import { toBase64url } from '../engine/base64url.js'
import { algorithm, signAssertion, writeClientData } from './authenticator/signAssertion.js'

/** A device with passkeys and a scripted owner. */
export type TestAuthenticator = {
  /** The ids of the passkeys on it, the oldest first. */
  ids: readonly string[]
  /** Makes the owner decline the next request. */
  rejectNext(): void
  /** Removes it and restores the browser. */
  remove(): void
}

const toBytes = (source: BufferSource): Uint8Array =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)

/** Copies the bytes into a separate buffer, as browsers return them. */
const toBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

const declined = (): DOMException => new DOMException('The operation was not allowed.', 'NotAllowedError')

/** Replaces a property. @returns A function that restores it. */
const replace = (target: object, name: string, value: unknown): (() => void) => {
  const known = Object.getOwnPropertyDescriptor(target, name)
  Object.defineProperty(target, name, { value, configurable: true, writable: true })
  return () => {
    if (known) Object.defineProperty(target, name, known)
    else Reflect.deleteProperty(target, name)
  }
}

const createCredentials = (keys: Map<string, CryptoKey>, agree: () => void) => {
  const { crypto } = globalThis
  const describe = (id: string, rawId: Uint8Array, response: object) => ({
    id,
    rawId: toBuffer(rawId),
    type: 'public-key',
    response,
    getClientExtensionResults: () => ({}),
  })
  return {
    create: async ({ publicKey }: { publicKey: PublicKeyCredentialCreationOptions }) => {
      agree()
      const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
      const rawId = crypto.getRandomValues(new Uint8Array(16))
      const spki = await crypto.subtle.exportKey('spki', pair.publicKey)
      const id = toBase64url(rawId)
      keys.set(id, pair.privateKey)
      return describe(id, rawId, {
        clientDataJSON: toBuffer(writeClientData('webauthn.create', toBytes(publicKey.challenge))),
        attestationObject: new ArrayBuffer(0),
        getPublicKey: () => spki,
        getPublicKeyAlgorithm: () => -7,
      })
    },
    get: async ({ publicKey }: { publicKey: PublicKeyCredentialRequestOptions }) => {
      agree()
      const {
        challenge,
        allowCredentials = [],
        rpId = globalThis.location?.hostname ?? 'shop.test',
      } = publicKey
      const asked = allowCredentials.map(({ id }) => toBytes(id)).find((id) => keys.has(toBase64url(id)))
      const key = asked && keys.get(toBase64url(asked))
      if (!asked || !key) throw declined()
      const { authenticatorData, clientData, signature } = await signAssertion(key, toBytes(challenge), rpId)
      return describe(toBase64url(asked), asked, {
        clientDataJSON: toBuffer(clientData),
        authenticatorData: toBuffer(authenticatorData),
        signature: toBuffer(signature),
      })
    },
  }
}

/**
 * Gives the browser of a test passkeys, which DOM implementations in memory lack. Keys and signatures are
 * real, so `createPasskey` and `useTransaction` of `kassa/wallet` work unchanged. The domain of a passkey is
 * not checked.
 *
 * @example
 * ```ts
 * import { installTestAuthenticator } from 'kassa/testing'
 * import { createPasskey } from 'kassa/wallet'
 *
 * export const makePasskey = async () => {
 *   const authenticator = installTestAuthenticator()
 *   const passkey = await createPasskey({ name: 'ada@example.com' })
 *   authenticator.remove()
 *   return passkey
 * }
 * ```
 */
export const installTestAuthenticator = (): TestAuthenticator => {
  const keys = new Map<string, CryptoKey>()
  let refusals = 0
  const agree = (): void => {
    if (refusals === 0) return
    refusals -= 1
    throw declined()
  }
  const undo = [
    replace(globalThis.navigator, 'credentials', createCredentials(keys, agree)),
    replace(globalThis, 'PublicKeyCredential', class PublicKeyCredential {}),
  ]
  return {
    get ids() {
      return [...keys.keys()]
    },
    rejectNext: () => {
      refusals += 1
    },
    remove: () => {
      for (const putBack of undo) putBack()
    },
  }
}
