import { createServerClient } from 'kassa/server'
import { checkoutUrl, readEnvironment } from './environment'

/** The service as this server calls it; what it prefetches is found by browsers, which call this shop's own address. */
export const createShopClient = () => {
  const { baseUrl, serverKey } = readEnvironment(process.env)
  return createServerClient({ baseUrl, apiKey: serverKey, publicBaseUrl: checkoutUrl, timeoutMs: 5_000 })
}
