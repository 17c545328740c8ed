import { createServerClient } from 'kassa/server'
import { checkoutUrl, readEnvironment } from './environment'

/**
 * Creates this server's client of the service. Its prefetched data carries cache keys for this shop's own
 * address, so browsers find it.
 */
export const createShopClient = () => {
  const { baseUrl, serverKey } = readEnvironment(process.env)
  return createServerClient({ baseUrl, apiKey: serverKey, publicBaseUrl: checkoutUrl, timeoutMs: 5_000 })
}
