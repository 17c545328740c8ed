import { newSecret } from './secret.js'

/** Who a key is for: a server, or browsers. */
export type KeyKind = 'server' | 'client'
/** Which networks a deployment works on: test or main ones. */
export type Environment = 'staging' | 'production'

const form = /^(sk|ck)_(staging|production)_[A-Za-z0-9_-]{43}$/

/** What an API key says about itself, or undefined when it is malformed. */
export const parseApiKey = (text: string): { kind: KeyKind; environment: Environment } | undefined => {
  const [, kind, environment] = form.exec(text) ?? []
  if (!kind) return undefined
  return {
    kind: kind === 'sk' ? 'server' : 'client',
    environment: environment === 'staging' ? 'staging' : 'production',
  }
}

/** Makes a new API key: `sk_<environment>_…` for servers, `ck_<environment>_…` for browsers. */
export const newApiKey = (
  kind: KeyKind,
  environment: Environment,
  randomBytes: (length: number) => Uint8Array,
): string => newSecret(`${kind === 'server' ? 'sk' : 'ck'}_${environment}`, randomBytes)
