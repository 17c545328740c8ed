'use client'

import { isChangeable, type Order, usePaymentOptions } from 'kassa'
import { useLocale, useTranslations } from 'use-intl'
import { useCheckoutShop } from '../../lib/checkoutShop'
import { isSameAddress } from '../../lib/delivery'
import { readListPrice } from '../../lib/listPrice'
import { formatMoney } from '../../lib/money'
import { getChainLabel } from '../../lib/networks'
import { getOptionValue, getPayOptions, type PayOption } from '../../lib/payOptions'
import { readTexts } from '../../lib/read'
import type { BuyerDetails } from '../../lib/useBuyerDetails'
import { useWallets } from '../../lib/useWallets'
import type { OrderAccess } from './OrderCheckout'
import styles from './PayView.module.css'

type Props = { access: OrderAccess; order: Order; details: BuyerDetails; isLocked: boolean }

/** Asks for the currency and network to pay with, and shows what each costs. */
export function PaymentSection({ access, order, details, isLocked }: Props) {
  const t = useTranslations('checkout')
  const common = useTranslations('common')
  const payment = useTranslations('payment')
  const locale = useLocale()
  const options = usePayOptions(order, details)
  const { remaining } = order.payment
  const { address } = useWallets(details.method)
  // For the payer of the order, the prices in other wallets are listed, too.
  const isPayer = isSameAddress(order.payment.preparation?.payerAddress, address)
  const { data: quoted = [] } = usePaymentOptions({ ...access, payerAddress: isPayer ? undefined : address })
  const chosen = getOptionValue({ method: details.method ?? '', currency: details.currency ?? '' })
  return (
    <section className={styles.section} aria-labelledby="payment-title">
      <h2 id="payment-title" className="heading">
        {t('payWith')}
      </h2>
      <fieldset className={styles.currencies} aria-labelledby="payment-title" disabled={isLocked}>
        {options.map((option) => {
          const quote = quoted.find(
            ({ chain, currency }) => getOptionValue({ method: chain, currency }) === getOptionValue(option),
          )
          const price = remaining ?? quote
          return (
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
                <span className="small soft">{common('onNetwork', { network: option.network })}</span>{' '}
                <span className={styles.price}>
                  {price && formatMoney(price.amount, price.currency, locale)}
                </span>{' '}
                <span className="small soft">
                  {quote?.sufficient === false &&
                    payment('fundsTitle', { currency: option.currency.toUpperCase() })}
                </span>
              </span>
            </label>
          )
        })}
      </fieldset>
    </section>
  )
}

/** Lists what the shop offers, and the order's own choice if it is another one, or nothing else may be chosen any more. */
const usePayOptions = (order: Order, { method, currency }: BuyerDetails): PayOption[] => {
  const { networks } = useCheckoutShop()
  const chain = order.lineItems[0]?.chain ?? order.payment.method ?? ''
  const offered = getPayOptions(networks, {
    chain,
    currency: readListPrice(order)?.currency,
    currencies: readTexts(order.metadata?.currencies),
  })
  if (method === undefined || currency === undefined) return offered
  const own = { method, currency, network: getChainLabel(method) }
  if (!isChangeable(order)) return [own]
  return offered.some((option) => getOptionValue(option) === getOptionValue(own))
    ? offered
    : [...offered, own]
}
