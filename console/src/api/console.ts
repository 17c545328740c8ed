import { createClient } from 'kassa/api'
import { useRef } from 'react'
import type { Input, Requests } from './requests.js'

/** The operations of the interface. The session's cookie stands for a key. */
export const client = createClient({ baseUrl: '/api' })

const uploadMs = 5 * 60_000

/** The same operations, for a file that takes its time on a slow connection. */
export const uploadClient = createClient({ baseUrl: '/api', timeoutMs: uploadMs })

/** A refusal of the console's own requests. */
export class ConsoleError extends Error {
  override readonly name = 'ConsoleError'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/**
 * Makes a request to the console's own part of the service.
 *
 * @param name - The method and the path, with the names of its parameters.
 */
export const send = async <Name extends keyof Requests>(
  name: Name,
  ...[input]: keyof Input<Name> extends never ? [] : [Input<Name>]
): Promise<Requests[Name]['answer']> => {
  const { body, ...params }: { body?: unknown; [param: string]: unknown } = input ?? {}
  const [method = '', path = ''] = name.split(' ')
  const filled = path.replace(/:(\w+)/g, (_, param) => encodeURIComponent(`${params[param]}`))
  const response = await fetch(`/console${filled}`, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer
  throw new ConsoleError(answer.message ?? response.statusText, response.status)
}

/** Creates a key under which a request that is repeated happens once. */
const createIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Returns a function that sends a content under a key of its own: if its answer is lost, the same content is sent
 * again under the same key, so that it happens once.
 */
export const useOnce = () => {
  const keys = useRef(new Map<string, string>())
  return async <Answer>(body: unknown, act: (idempotencyKey: string) => Promise<Answer>): Promise<Answer> => {
    const content = JSON.stringify(body)
    const key = keys.current.get(content) ?? createIdempotencyKey()
    keys.current.set(content, key)
    const answer = await act(key)
    keys.current.delete(content)
    return answer
  }
}
