import { expect } from 'vitest'
import type { TestService } from './createTestService.js'

/**
 * Calls a service over HTTP with its server key.
 *
 * @param toPath - Completes a path. By default it is complete.
 */
export const createCaller = (
  { app, serverKey }: Pick<TestService, 'app' | 'serverKey'>,
  toPath = (path: string) => path,
) => {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.request(toPath(path), {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': serverKey, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  return {
    send,
    /** Sends a request, asserts the status of its answer, and returns the body. */
    ask: async (status: number, method: string, path: string, body?: unknown): Promise<unknown> => {
      const response = await send(method, path, body)
      const answer: unknown = await response.json()
      expect(response.status, `${method} ${path}: ${JSON.stringify(answer)}`).toBe(status)
      return answer
    },
  }
}
