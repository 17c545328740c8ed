import { testRates } from '../../src/config/config.js'
import type { Deps } from '../../src/deps.js'
import { ServiceError } from '../../src/errors.js'

/** The services beyond the database and the chains. */
export type Network = Pick<Deps, 'safeFetch' | 'safePost' | 'mailer' | 'rates'>

/** A network without files, with real webhooks, and without e-mails. */
export const testNetwork: Network = {
  rates: { read: async () => ({ usd: testRates, isAway: () => false }) },
  safeFetch: async () => {
    throw new ServiceError('input-invalid', 'could not be fetched')
  },
  safePost: async (url, { headers, body }) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
    })
    await answer.body?.cancel()
    return { status: answer.status }
  },
  mailer: { send: async () => ({ status: 'sent' }) },
}
