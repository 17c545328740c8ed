import type { ServiceCall, ServiceMemory } from './identify.js'
import type { Answer } from './orderVerbs.js'
import { badInput, Refusal } from './refusal.js'

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
  const id = JSON.stringify([caller, call.path, key])
  const known = answers.get(id)
  if (known && known.text !== call.text) {
    throw new Refusal(409, 'x-idempotency-key: already used with another body')
  }
  const answer = known?.answer ?? run()
  answers.set(id, { text: call.text, answer })
  if (answer instanceof Promise) answer.catch(() => answers.delete(id))
  return answer
}
