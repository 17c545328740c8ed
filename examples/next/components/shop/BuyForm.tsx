'use client'

import Link from 'next/link'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { BuyState } from '../../app/editions/[id]/buy'
import { formatFiat, formatMoney, multiply } from '../../lib/money'
import type { Edition } from '../../lib/shop'
import styles from './BuyForm.module.css'
import { OrderForm } from './OrderForm'
import { QuantityField } from './QuantityField'

/** Props of {@link BuyForm}. */
export type BuyFormProps = {
  edition: Edition
  action: (state: BuyState, form: FormData) => Promise<BuyState>
}

/** The shop's limit for one order. */
const maxCopies = 100

/** Asks for the quantity and opens the checkout. */
export function BuyForm({ edition, action }: BuyFormProps) {
  const t = useTranslations('buy')
  const locale = useLocale()
  const [quantity, setQuantity] = useState(1)
  const { available, fiat } = edition
  const most = Math.min(available ?? maxCopies, maxCopies)
  const total = multiply(edition.price, quantity)
  // The price of one stands above.
  const worth =
    quantity > 1 &&
    fiat &&
    !/^usd/i.test(edition.currency) &&
    formatFiat(multiply(fiat.amount, quantity), fiat.currency, locale)
  if (available === 0) return <SoldOut name={edition.name} />
  return (
    <div className={styles.form}>
      <OrderForm
        action={action}
        label={t('buy', { amount: formatMoney(total, edition.currency, locale) })}
        look="main"
        note={worth ? t('nextWorth', { worth }) : t('next')}
      >
        <input type="hidden" name="edition" value={edition.id} />
        <QuantityField most={most} left={available} value={quantity} onChange={setQuantity} />
      </OrderForm>
    </div>
  )
}

function SoldOut({ name }: { name: string }) {
  const t = useTranslations('buy')
  return (
    <div className={styles.form}>
      <p className="alert">{t('soldOut', { name })}</p>
      <Link className="button" href="/#editions">
        {t('others')}
      </Link>
    </div>
  )
}
