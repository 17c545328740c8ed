import { getEditionPayOptions } from '../../lib/payOptions'
import type { Shop } from '../../lib/shop'
import { BuySeries } from './BuySeries'
import styles from './BuySeries.module.css'

/** Offers one of each edition in one order and one payment. Renders nothing when the shop has no series. */
export function Series({ shop }: { shop: Shop }) {
  const [first, ...others] = shop.editions
  const option = first && getEditionPayOptions(shop.networks, first)[0]
  if (!option || others.length === 0) return null
  return (
    <section className={styles.series} aria-labelledby="series-title">
      <div className={styles.about}>
        <h3 id="series-title" className="heading">
          One of each
        </h3>
        <p className="soft">All {shop.editions.length} editions in one order, paid for with one payment.</p>
      </div>
      <BuySeries
        cart={{ items: shop.editions.map(({ id }) => ({ edition: id, quantity: 1 })) }}
        payment={{ method: first.chain, currency: option.currency }}
      />
    </section>
  )
}
