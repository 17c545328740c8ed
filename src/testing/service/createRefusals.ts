import { HttpError } from './httpError.js'

const messages: Readonly<Record<number, string>> = {
  400: 'body: refused by the test',
  401: 'X-API-KEY: unknown API key',
  403: 'The API key lacks the scope orders.create',
  404: 'Not found',
  409: 'The order can no longer be changed: a payment was seen',
  429: 'Too many requests: try again later',
  500: 'Something went wrong: please contact support with request id req_test',
  503: 'The service is not available: try again in a few minutes',
  504: 'The service took too long: try again',
}

/** Calls that a test wants refused, in their order. */
export const createRefusals = () => {
  const queue: (number | 'unreachable')[] = []
  return {
    add: (answer: number | 'unreachable', times = 1): void => {
      for (let count = 0; count < times; count++) queue.push(answer)
    },
    /** Throws what the next call is refused with, if any: what `fetch` throws where the service is out of reach. */
    refuse: (): void => {
      const next = queue.shift()
      if (next === undefined) return
      if (next === 'unreachable') throw new TypeError('Failed to fetch')
      throw new HttpError(next, messages[next] ?? `Refused with status ${next}`)
    },
  }
}
