'use client'

import type { Order } from 'kassa'
import { useTranslations } from 'use-intl'
import { useCheckoutShop } from '../../lib/checkoutShop'
import { readListPrice } from '../../lib/listPrice'
import { getChainLabel } from '../../lib/networks'
import { getOptionValue, getPayOptions, type PayOption } from '../../lib/payOptions'
import type { BuyerDetails } from '../../lib/useBuyerDetails'
import styles from './PayView.module.css'

/** Asks for the currency and network to pay with. */
export function PaymentSection(props: { order: Order; details: BuyerDetails; isLocked: boolean }) {
  const { order, details, isLocked } = props
  const t = useTranslations('checkout')
  const common = useTranslations('common')
  const options = usePayOptions(order, details)
  const chosen = getOptionValue({ method: details.method ?? '', currency: details.currency ?? '' })
  return (
    <section className={styles.section} aria-labelledby="payment-title">
      <h2 id="payment-title" className="heading">
        {t('payWith')}
      </h2>
      <fieldset className={styles.currencies} aria-labelledby="payment-title" disabled={isLocked}>
        {options.map((option) => (
          <label key={getOptionValue(option)} className="option">
            <input
              type="radio"
              name="payment"
              checked={getOptionValue(option) === chosen}
              onChange={() =>
                details.choose({ payment: { method: option.method, currency: option.currency } })
              }
            />
            <span className={styles.currency}>
              <strong>{option.currency.toUpperCase()}</strong>{' '}
              <span className="small soft">{common('onNetwork', { network: option.network })}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </section>
  )
}

/** Lists what the shop offers, and the order's own choice if it is another one. */
const usePayOptions = (order: Order, { method, currency }: BuyerDetails): PayOption[] => {
  const { networks } = useCheckoutShop()
  const chain = order.lineItems[0]?.chain ?? order.payment.method ?? ''
  const offered = getPayOptions(networks, { chain, currency: readListPrice(order)?.currency })
  if (method === undefined || currency === undefined) return offered
  const own = { method, currency, network: getChainLabel(method) }
  return offered.some((option) => getOptionValue(option) === getOptionValue(own))
    ? offered
    : [...offered, own]
}
