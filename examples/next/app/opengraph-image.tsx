import { cardSize, drawCard } from '../lib/drawCard'
import { getShop } from '../lib/shop'
import { messages } from '../messages/en'

// A card is in English: others see it than the crawler that asks for it, and its font has the Latin letters only.
const { cardAlt, claim, claimDetail } = messages.shop

export const alt = cardAlt
export const size = cardSize
export const contentType = 'image/png'
// The editions are known at run time only.
export const dynamic = 'force-dynamic'

/** The picture of a link to this shop. */
export default async function ShopCard() {
  const shop = await getShop()
  return drawCard({
    editions: shop?.editions ?? [],
    title: claim,
    details: [claimDetail],
  })
}
