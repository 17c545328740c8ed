import Link from 'next/link'
import { formatMoney } from '../../lib/money'
import type { Edition } from '../../lib/shop'
import styles from './EditionCard.module.css'
import { Picture } from './Picture'

/** Shows an edition on the home page. */
export function EditionCard({ edition, isFirst }: { edition: Edition; isFirst: boolean }) {
  const { id, name, imageUrl, price, currency, chainLabel, supplyLimit } = edition
  return (
    <article className={styles.card}>
      <div className={styles.wall}>
        <Picture src={imageUrl} name={name} isFirst={isFirst} alt="" />
      </div>
      <div className={styles.caption}>
        <h3 className="heading">
          <Link className={styles.link} href={`/editions/${encodeURIComponent(id)}`}>
            {name}
          </Link>
        </h3>
        <p className={styles.price}>{formatMoney(price, currency)}</p>
        <p className="small soft">
          {supplyLimit === undefined ? 'Open edition' : `Edition of ${supplyLimit}`} · {chainLabel}
        </p>
      </div>
    </article>
  )
}
