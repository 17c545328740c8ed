import { buy } from '../../app/editions/[id]/buy'
import { getTranslate } from '../../lib/language/getTranslate'
import { getFamily } from '../../lib/networks'
import { getPayOptions } from '../../lib/payOptions'
import { maxLines } from '../../lib/readCart'
import type { Shop } from '../../lib/shop'
import { OrderForm } from './OrderForm'
import styles from './Series.module.css'

/**
 * Offers one of each edition in one order and one payment, as far as one wallet can receive them. Renders nothing when
 * the shop has no series.
 */
export async function Series({ shop }: { shop: Shop }) {
  const [first] = shop.editions
  const option = first && getPayOptions(shop.networks, first)[0]
  if (!option) return null
  const series = shop.editions
    .filter(({ chain, available }) => available !== 0 && getFamily(chain) === getFamily(first.chain))
    .filter(({ currencies }) => currencies?.includes(option.currency) ?? true)
    .slice(0, maxLines)
  if (series.length < 2) return null
  const wallet = getFamily(first.chain) === 'solana' ? 'Solana' : 'Ethereum'
  const isAll = series.length === shop.editions.length
  const [t, onBuying] = await Promise.all([getTranslate('home'), getTranslate('buy')])
  return (
    <section className={styles.series} aria-labelledby="series-title">
      <div className={styles.about}>
        <h3 id="series-title" className="heading">
          {t('series')}
        </h3>
        <p className="soft">
          {isAll
            ? t('seriesAll', { count: series.length })
            : t('seriesSome', { count: series.length, wallet })}
        </p>
      </div>
      <OrderForm action={buy} label={onBuying('series')}>
        {series.map(({ id }) => (
          <input key={id} type="hidden" name="edition" value={id} />
        ))}
      </OrderForm>
    </section>
  )
}
