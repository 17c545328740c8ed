'use client'

import { useActionState, useState } from 'react'
import type { BuyState } from '../../app/editions/[id]/buy'
import { formatMoney, multiply } from '../../lib/money'
import type { PayOption } from '../../lib/payOptions'
import type { Edition } from '../../lib/shop'
import styles from './BuyForm.module.css'
import { QuantityField } from './QuantityField'

/** Props of {@link BuyForm}. */
export type BuyFormProps = {
  edition: Edition
  options: PayOption[]
  action: (state: BuyState, form: FormData) => Promise<BuyState>
}

/** Asks for the quantity and the currency, and opens the checkout. */
export function BuyForm({ edition, options, action }: BuyFormProps) {
  const most = Math.min(edition.supplyLimit ?? 100, 100)
  const [state, submit, isPending] = useActionState(action, {})
  const [quantity, setQuantity] = useState(1)
  const [currency, setCurrency] = useState(options[0]?.currency)
  const total = multiply(edition.price, quantity)
  const isConverted = currency !== edition.currency.toLowerCase()
  if (options.length === 0) return <p className="alert">This edition cannot be bought at the moment.</p>
  return (
    // A second press during submission does not start a second purchase.
    <form className={styles.form} action={submit} onSubmit={(event) => isPending && event.preventDefault()}>
      <input type="hidden" name="edition" value={edition.id} />
      <QuantityField most={most} value={quantity} onChange={setQuantity} />
      <fieldset className={styles.options}>
        <legend className={styles.legend}>Pay with</legend>
        {options.map((option) => (
          <label key={option.currency} className="option">
            <input
              type="radio"
              name="currency"
              value={option.currency}
              checked={option.currency === currency}
              onChange={() => setCurrency(option.currency)}
            />
            <span className={styles.option}>
              <span className={styles.code}>{option.currency.toUpperCase()}</span>
              <span className="small soft">{option.label}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className={styles.submit}>
        <button className="button" data-look="main" type="submit" aria-disabled={isPending}>
          {isPending ? (
            <>
              <span className="spinner" aria-hidden="true" />
              Opening checkout…
            </>
          ) : (
            `Buy for ${formatMoney(total, edition.currency)}`
          )}
        </button>
        <p className="small soft">
          {isConverted
            ? `You see the exact price in ${currency?.toUpperCase()} before you pay.`
            : 'You confirm the exact amount in your wallet before anything is sent.'}
        </p>
      </div>
      {state.message && !isPending && (
        <p className="alert" role="alert">
          {state.message}
        </p>
      )}
    </form>
  )
}
