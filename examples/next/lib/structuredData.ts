import type { Edition } from './shop'

const getAvailability = ({ available }: Edition): string => {
  if (available === undefined) return 'InStock'
  return available > 0 ? 'LimitedAvailability' : 'SoldOut'
}

/**
 * Describes an edition to search engines, in the vocabulary of schema.org.
 *
 * @param pageUrl - The whole address of the edition's page; undefined when the shop's address is not known.
 */
export const describeProduct = (edition: Edition, pageUrl: string | undefined) => ({
  '@context': 'https://schema.org',
  '@type': 'Product',
  productID: edition.id,
  name: edition.name,
  ...(edition.description && { description: edition.description }),
  ...(edition.imageUrl && { image: edition.imageUrl }),
  brand: { '@type': 'Brand', name: 'Recto' },
  offers: {
    '@type': 'Offer',
    price: edition.price,
    // For a currency without an ISO code, schema.org takes the ticker.
    priceCurrency: edition.currency.toUpperCase(),
    availability: `https://schema.org/${getAvailability(edition)}`,
    ...(pageUrl && { url: pageUrl }),
  },
})

/** Writes JSON that stays inside its `<script>`, whatever a name contains. */
export const writeScriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')
