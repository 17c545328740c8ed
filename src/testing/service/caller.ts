import { canonicalJson } from '../../engine/canonicalJson.js'
import type { Answer, ServiceCall } from './http.js'
import { badInput, HttpError } from './http.js'

/** What the service remembers: the keys that open it, and answers that were asked for by a key. */
export type ServiceMemory = {
  serverKey: string
  clientKey: string
  answers: Map<string, { text: string; answer: Answer | Promise<Answer> }>
}

const apiKey = /^(sk|ck)_(staging|production)_[A-Za-z0-9_-]{43}$/

/** Who calls: a server, a browser with a client key, or the holder of an order's secret. */
export type Caller = 'server' | 'client' | 'secret'

const checkKey = ({ serverKey, clientKey }: ServiceMemory, key: string): Caller => {
  const environment = apiKey.exec(key)?.[2]
  if (environment !== 'staging') {
    throw new HttpError(401, `X-API-KEY: this is a key of the ${environment} environment, not of staging`)
  }
  if (key === serverKey) return 'server'
  if (key === clientKey) return 'client'
  throw new HttpError(401, 'X-API-KEY: unknown API key')
}

const assertScope = (caller: Caller, scope: string): void => {
  if (caller === 'client' && scope !== 'orders.create') {
    throw new HttpError(403, `The API key lacks the scope ${scope}`)
  }
}

/**
 * Finds out who calls, and refuses who may not.
 *
 * @param isSecret - Tells whether a secret is the order's; absent where no secret is accepted.
 */
export const identify = (
  memory: ServiceMemory,
  { headers }: ServiceCall,
  scope: string,
  isSecret?: (secret: string) => boolean,
): Caller => {
  const key = headers.get('x-api-key')
  const secret = headers
    .get('authorization')
    ?.replace(/^bearer\s+/i, '')
    .trim()
  if (key !== undefined && !apiKey.test(key)) throw new HttpError(401, 'X-API-KEY: malformed API key')
  if (isSecret && secret) {
    if (!isSecret(secret)) throw new HttpError(401, 'Authorization: not the client secret of this order')
    return 'secret'
  }
  const what = isSecret ? 'X-API-KEY or Authorization' : 'X-API-KEY'
  if (key === undefined) throw new HttpError(401, `${what}: required`)
  const caller = checkKey(memory, key)
  assertScope(caller, scope)
  return caller
}

/** The content of a body, whatever the order of its fields. */
const contentOf = (text: string): string => {
  try {
    return canonicalJson(JSON.parse(text))
  } catch {
    return text
  }
}

/** Answers the same again where a call was made before under the same key. Refusals are not remembered. */
export const once = (
  { answers }: ServiceMemory,
  call: ServiceCall,
  caller: string,
  run: () => Answer | Promise<Answer>,
): Answer | Promise<Answer> => {
  const key = call.method === 'POST' ? call.headers.get('x-idempotency-key') : undefined
  if (key === undefined) return run()
  if (!key || key.length > 255) throw badInput('x-idempotency-key: expected 1 to 255 characters')
  if (caller === 'client' && key.length < 22) {
    throw badInput('x-idempotency-key: expected 22 to 255 characters with a client key, such as a UUID')
  }
  const id = JSON.stringify([caller, call.path, key])
  const text = contentOf(call.text)
  const known = answers.get(id)
  if (known && known.text !== text) {
    throw new HttpError(409, 'x-idempotency-key: already used with another body')
  }
  const answer = known?.answer ?? run()
  answers.set(id, { text, answer })
  if (answer instanceof Promise) answer.catch(() => answers.delete(id))
  return answer
}
