import { createEndpointUrlCheck } from '#adapters/guard/createEndpointUrlCheck.js'
import { testRates } from '#base/config/config.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'

/** The services beyond the database and the chains. */
export type Network = Pick<Deps, 'safeFetch' | 'safePost' | 'checkEndpointUrl' | 'mailer' | 'rates'>

/** A network without files and e-mails. Webhooks reach this machine alone, and are refused elsewhere at once. */
export const testNetwork: Network = {
  rates: { read: async () => ({ usd: testRates, isAway: () => false }) },
  safeFetch: async () => {
    throw new ServiceError('input-invalid', 'could not be fetched')
  },
  safePost: async (url, { headers, body }) => {
    if (!/^http:\/\/(127\.0\.0\.1|localhost):/.test(url)) throw new Error(`${url} is not on this machine`)
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
  checkEndpointUrl: createEndpointUrlCheck({ isGuarded: false }),
  mailer: { send: async () => ({ status: 'sent' }) },
}
