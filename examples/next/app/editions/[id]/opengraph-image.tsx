import { notFound } from 'next/navigation'
import { cardSize, drawCard } from '../../../lib/drawCard'
import { createTranslate } from '../../../lib/language/createTranslate'
import { formatMoney } from '../../../lib/money'
import { getEdition } from '../../../lib/shop'
import { loadMessages } from '../../../messages'
import { messages } from '../../../messages/en'

export const alt = messages.edition.cardAlt
export const size = cardSize
export const contentType = 'image/png'

/** The picture of a link to an edition. */
export default async function EditionCard({ params }: { params: Promise<{ id: string }> }) {
  const edition = await getEdition(decodeURIComponent((await params).id))
  if (!edition) notFound()
  const { name, price, currency, supplyLimit } = edition
  // In English like the shop's own card.
  const t = createTranslate('en', await loadMessages('en'), 'stock')
  return drawCard({
    editions: [edition],
    title: name,
    details: [
      formatMoney(price, currency, 'en-US'),
      supplyLimit === undefined ? t('open') : t('limited', { limit: supplyLimit }),
    ],
  })
}
