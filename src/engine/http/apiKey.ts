import { Refusal } from '../refusal.js'

/** The kind of caller that a key is for: a server, or browsers. */
export type KeyKind = 'server' | 'client'

/** The networks of a deployment: test or main ones. */
export type KeyEnvironment = 'staging' | 'production'

const form = /^(sk|ck)_(staging|production)_[A-Za-z0-9_-]{43}$/

/** Parses an API key. Returns `undefined` if it is malformed. */
export const parseApiKey = (text: string): { kind: KeyKind; environment: KeyEnvironment } | undefined => {
  const [, kind, environment] = form.exec(text) ?? []
  if (!kind) return undefined
  return {
    kind: kind === 'sk' ? 'server' : 'client',
    environment: environment === 'staging' ? 'staging' : 'production',
  }
}

const invalidKey = (message: string) => new Refusal('key-invalid', message)

/**
 * Refuses a malformed API key.
 *
 * @throws {@link Refusal} `key-invalid`.
 */
const assertWellFormedKey = (key: string): void => {
  if (!parseApiKey(key)) throw invalidKey('X-API-KEY: malformed API key')
}

/**
 * Refuses an API key of the other environment.
 *
 * @throws {@link Refusal} `key-invalid`, also if it is malformed.
 */
export const assertKeyOf = (environment: KeyEnvironment, key: string): void => {
  assertWellFormedKey(key)
  const its = parseApiKey(key)?.environment
  if (its === environment) return
  throw invalidKey(`X-API-KEY: this is a key of the ${its} environment, not of ${environment}`)
}

/** Returns the refusal of a key that is unknown or revoked. */
export const unknownKey = () => invalidKey('X-API-KEY: unknown API key')

/** Returns the refusal of a secret that is not the order's. */
export const wrongSecret = () => invalidKey('Authorization: not the client secret of this order')

/** The headers by which a caller identifies itself. */
type Credentials = { key: string | undefined; authorization: string | undefined }

/**
 * Reads the credentials of a request. A client secret takes precedence over an API key, which then only needs to be
 * well-formed.
 *
 * @param isSecretAccepted - Whether an order's client secret is accepted.
 * @throws {@link Refusal} `key-invalid` if the API key is malformed.
 */
export const readCredentials = (
  { key, authorization }: Credentials,
  isSecretAccepted: boolean,
): { key: string | undefined; secret: string | undefined } => {
  const stated = isSecretAccepted ? authorization?.replace(/^bearer\s+/i, '').trim() || undefined : undefined
  if (key !== undefined) assertWellFormedKey(key)
  // Generated clients may send one credential under both headers.
  return { key, secret: stated === key ? undefined : stated }
}

/** Returns the refusal of a request without credentials. */
export const noCredentials = (isSecretAccepted: boolean) =>
  invalidKey(`${isSecretAccepted ? 'X-API-KEY or Authorization' : 'X-API-KEY'}: required`)

/**
 * Requires one of some scopes.
 *
 * @param holder - What has the scopes, at the start of a sentence.
 * @throws {@link Refusal} `forbidden`, naming the missing scope.
 */
export const assertScope = (
  scopes: readonly string[],
  wanted: string | readonly string[],
  holder = 'The API key',
): void => {
  const accepted = [wanted].flat()
  if (accepted.some((scope) => scopes.includes(scope))) return
  throw new Refusal('forbidden', `${holder} lacks the scope ${accepted.join(' or ')}`)
}
