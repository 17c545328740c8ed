import { findLocale } from 'kassa/schema'
import Link from 'next/link'
import { getEditionPath } from '../../lib/editionPath'
import type { Translate } from '../../lib/language/createTranslate'
import { getLanguage } from '../../lib/language/getLanguage'
import { getTranslate } from '../../lib/language/getTranslate'
import { formatMoney } from '../../lib/money'
import type { Edition } from '../../lib/shop'
import styles from './EditionCard.module.css'
import { FiatPrice } from './FiatPrice'
import { Picture } from './Picture'

/** Says how many there are of an edition, or how many are left once some are sold. */
const describeStock = ({ supplyLimit, available = supplyLimit }: Edition, t: Translate<'stock'>): string => {
  if (supplyLimit === undefined || available === undefined) return t('open')
  if (available === 0) return t('soldOut')
  return available < supplyLimit
    ? t('left', { count: available, limit: supplyLimit })
    : t('limited', { limit: supplyLimit })
}

/** Shows an edition on the home page. */
export async function EditionCard({ edition, isFirst }: { edition: Edition; isFirst: boolean }) {
  const [language, t] = await Promise.all([getLanguage(), getTranslate('stock')])
  const locale = findLocale(language)
  const { id, name, imageUrl, price, currency, fiat, chainLabel } = edition
  return (
    <article className={styles.card}>
      <div className={styles.wall}>
        <Picture src={imageUrl} name={name} isFirst={isFirst} alt="" />
      </div>
      <div className={styles.caption}>
        <h3 className="heading">
          <Link className={styles.link} href={getEditionPath(id)} lang="en">
            {name}
          </Link>
        </h3>
        <p className={styles.price}>
          {formatMoney(price, currency, locale)}{' '}
          <FiatPrice price={{ amount: price, currency }} fiat={fiat} locale={locale} />
        </p>
        <p className="small soft">
          {describeStock(edition, t)} · {chainLabel}
        </p>
      </div>
    </article>
  )
}
