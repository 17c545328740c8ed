import type { MetadataRoute } from 'next'
import { getEditionPath } from '../lib/editionPath'
import { getShop } from '../lib/shop'
import { getShopUrl } from '../lib/shopUrl'

/** Lists the pages that search engines may show. It is empty while the shop's address is not known. */
export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const [shop, shopUrl] = await Promise.all([getShop(), getShopUrl()])
  if (!shopUrl) return []
  const editions = shop?.editions ?? []
  return [
    { url: new URL('/', shopUrl).href },
    ...editions.map(({ id, imageUrl }) => ({
      url: new URL(getEditionPath(id), shopUrl).href,
      ...(imageUrl && { images: [imageUrl] }),
    })),
  ]
}
