import type { Amount } from 'kassa'
import { formatFiat } from '../../lib/money'
import styles from './FiatPrice.module.css'

/** Shows what a price in a coin is worth in dollars. Renders nothing without a rate, and for a dollar token. */
export function FiatPrice(props: { price: Amount; fiat: Amount | undefined; locale: string }) {
  const { price, fiat, locale } = props
  if (!fiat || /^usd/i.test(price.currency)) return null
  return <span className={styles.fiat}>≈&nbsp;{formatFiat(fiat.amount, fiat.currency, locale)}</span>
}
