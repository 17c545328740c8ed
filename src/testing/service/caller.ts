import {
  assertKeyOf,
  assertScope,
  noCredentials,
  readCredentials,
  unknownKey,
  wrongSecret,
} from '../../engine/http/apiKey.js'
import { assertIdempotencyKey, contentOf, usedIdempotencyKey } from '../../engine/http/idempotencyKey.js'
import type { Answer, ServiceCall } from './http.js'
import type { TestWorld } from './testWorld.js'

/** What the service remembers: the keys that open it, and answers that were asked for by a key. */
export type ServiceMemory = {
  serverKey: string
  clientKey: string
  answers: Map<string, { text: string; answer: Answer | Promise<Answer> }>
}

/** A service: what its chains and orders are, and what it remembers of calls. */
export type Service = { world: TestWorld; memory: ServiceMemory }

/** Who calls: a server, a browser with a client key, or the holder of an order's secret. */
export type Caller = 'server' | 'client' | 'secret'

const readKey = ({ serverKey, clientKey }: ServiceMemory, key: string, scope: string): Caller => {
  assertKeyOf('staging', key)
  if (key === serverKey) return 'server'
  if (key !== clientKey) throw unknownKey()
  assertScope(['orders.create'], scope)
  return 'client'
}

/** What an operation asks of its caller. */
type Permission = {
  scope: string
  /** Tells whether a secret is the order's; absent where no secret is accepted. */
  isSecret?: ((secret: string) => boolean) | undefined
}

/** Identifies the caller, and refuses one without permission. */
export const identify = (
  memory: ServiceMemory,
  { headers }: ServiceCall,
  { scope, isSecret }: Permission,
): Caller => {
  const isSecretAccepted = isSecret !== undefined
  const stated = { key: headers.get('x-api-key'), authorization: headers.get('authorization') }
  const { key, secret } = readCredentials(stated, isSecretAccepted)
  if (secret !== undefined) {
    if (!isSecret?.(secret)) throw wrongSecret()
    return 'secret'
  }
  if (key === undefined) throw noCredentials(isSecretAccepted)
  return readKey(memory, key, scope)
}

/** Answers the same again where a call was made before under the same key. Refusals are not remembered. */
export const once = (
  { answers }: ServiceMemory,
  { call, caller }: { call: ServiceCall; caller: string },
  run: () => Answer | Promise<Answer>,
): Answer | Promise<Answer> => {
  const key = call.method === 'POST' ? call.headers.get('x-idempotency-key') : undefined
  if (key === undefined) return run()
  assertIdempotencyKey(key, caller === 'client')
  const id = JSON.stringify([caller, call.path, key])
  const text = contentOf(call.text)
  const known = answers.get(id)
  if (known && known.text !== text) throw usedIdempotencyKey()
  const answer = known?.answer ?? run()
  answers.set(id, { text, answer })
  if (answer instanceof Promise) answer.catch(() => answers.delete(id))
  return answer
}
