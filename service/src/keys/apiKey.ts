import { newSecret } from './secret.js'

/** The kind of caller that a key is for: a server, or browsers. */
export type KeyKind = 'server' | 'client'
/** The networks of a deployment: test or main ones. */
export type Environment = 'staging' | 'production'

const form = /^(sk|ck)_(staging|production)_[A-Za-z0-9_-]{43}$/

/** Parses an API key. Returns `undefined` if it is malformed. */
export const parseApiKey = (text: string): { kind: KeyKind; environment: Environment } | undefined => {
  const [, kind, environment] = form.exec(text) ?? []
  if (!kind) return undefined
  return {
    kind: kind === 'sk' ? 'server' : 'client',
    environment: environment === 'staging' ? 'staging' : 'production',
  }
}

/** Creates an API key: `sk_<environment>_…` for servers, `ck_<environment>_…` for browsers. */
export const newApiKey = (
  kind: KeyKind,
  environment: Environment,
  randomBytes: (length: number) => Uint8Array,
): string => newSecret(`${kind === 'server' ? 'sk' : 'ck'}_${environment}`, randomBytes)
