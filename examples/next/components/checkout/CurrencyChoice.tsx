'use client'

import type { Order } from 'kassa'
import { useCheckoutShop } from '../../lib/checkoutShop'
import { getPayOptions } from '../../lib/payOptions'
import type { BuyerDetails } from '../../lib/useBuyerDetails'
import styles from './PayView.module.css'

/** Lists the currencies this order can be paid in on its network. */
export function CurrencyChoice(props: { order: Order; details: BuyerDetails; isLocked: boolean }) {
  const { order, details, isLocked } = props
  const { networks } = useCheckoutShop()
  const network = networks.find(({ name }) => name === order.payment.method)
  if (!network) return null
  return (
    <fieldset className={styles.currencies} disabled={isLocked}>
      <legend className="small soft">Pay on {network.label} with</legend>
      {getPayOptions(network).map(({ currency }) => (
        <label key={currency} className={styles.currency}>
          <input
            type="radio"
            name="currency"
            checked={currency === details.currency}
            onChange={() => details.choose({ currency })}
          />
          {currency.toUpperCase()}
        </label>
      ))}
    </fieldset>
  )
}
