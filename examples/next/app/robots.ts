import type { MetadataRoute } from 'next'
import { getShopUrl } from '../lib/shopUrl'

/**
 * Tells crawlers what to leave out. The checkout, the orders, the wallet and the sandbox say `noindex` themselves: a
 * crawler that may not read a page would not learn that.
 */
export default async function robots(): Promise<MetadataRoute.Robots> {
  const shopUrl = await getShopUrl()
  return {
    rules: { userAgent: '*', disallow: '/api/' },
    ...(shopUrl && { sitemap: new URL('/sitemap.xml', shopUrl).href }),
  }
}
