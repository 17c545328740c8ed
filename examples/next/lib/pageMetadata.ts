import { findLocale } from 'kassa/schema'
import type { Metadata } from 'next'
import { getLanguage } from './language/getLanguage'
import { getShopUrl } from './shopUrl'

/** What a link to a page shows elsewhere. The picture is the page's own `opengraph-image`. */
export type PageCard = { title: string; description: string; path: string }

/** Returns the metadata of a page that may be found and shared: its canonical address and its card. */
export const createPageMetadata = async ({ title, description, path }: PageCard): Promise<Metadata> => {
  const [shopUrl, language] = await Promise.all([getShopUrl(), getLanguage()])
  const locale = findLocale(language).replace('-', '_')
  const url = shopUrl && new URL(path, shopUrl).href
  return {
    description,
    ...(url && { alternates: { canonical: url } }),
    openGraph: { type: 'website', siteName: 'Recto', locale, title, description, url },
    twitter: { card: 'summary_large_image', title, description },
  }
}
