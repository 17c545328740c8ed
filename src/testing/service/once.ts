import { canonicalJson } from '../../engine/canonicalJson.js'
import { badInput, HttpError } from './httpError.js'
import type { ServiceCall, ServiceMemory } from './identify.js'
import type { Answer } from './orders.js'

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
