import { headers } from 'next/headers'
import { cache } from 'react'
import { getShop } from './shop'

/**
 * Returns this shop's address for browsers: `KASSA_SHOP_URL`, or in a sandbox the address of the request. Elsewhere
 * the request's own header does not count, because any client can set it.
 *
 * @returns Undefined when the address is not known.
 */
export const getShopUrl = cache(async (): Promise<string | undefined> => {
  if (process.env.KASSA_SHOP_URL) return process.env.KASSA_SHOP_URL
  const [host, shop] = await Promise.all([headers().then((sent) => sent.get('host')), getShop()])
  return shop?.isSandbox && host ? `http://${host}` : undefined
})
