'use client'

import { catchError } from 'next/error'
import Link from 'next/link'
import { useActionState, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import type { BuyState } from '../../app/editions/[id]/buy'
import { formatFiat, formatMoney, multiply } from '../../lib/money'
import type { Edition } from '../../lib/shop'
import { useOnline } from '../../lib/useOnline'
import styles from './BuyForm.module.css'
import { QuantityField } from './QuantityField'

/** Props of {@link BuyForm}. */
export type BuyFormProps = {
  edition: Edition
  action: (state: BuyState, form: FormData) => Promise<BuyState>
}

/** The shop's limit for one order. */
const maxCopies = 100

type FormProps = BuyFormProps & {
  quantity: number
  onQuantity(quantity: number): void
  /** Whether the answer to the last press was lost. */
  hasFailed?: boolean
}

/** Asks for the quantity and opens the checkout. */
export function BuyForm(props: BuyFormProps) {
  const [quantity, setQuantity] = useState(1)
  return <KeptForm {...props} quantity={quantity} onQuantity={setQuantity} />
}

/** Keeps the page when the press cannot reach the shop: the action then throws, which would replace the whole page. */
function KeptForm(props: FormProps) {
  return (
    <Keeper {...props}>
      <Form {...props} />
    </Keeper>
  )
}

const Keeper = catchError((props: FormProps) => <KeptForm {...props} hasFailed />)

function Form({ edition, action, quantity, onQuantity, hasFailed = false }: FormProps) {
  const t = useTranslations('buy')
  const locale = useLocale()
  const { available, fiat } = edition
  const most = Math.min(available ?? maxCopies, maxCopies)
  const [state, submit, isPending] = useActionState(action, {})
  const [isRefused, setRefused] = useState(false)
  const isOnline = useOnline()
  const lost =
    isRefused && !isOnline ? t('offline') : hasFailed ? t(isOnline ? 'away' : 'offline') : undefined
  const message = state.message ?? lost
  const total = multiply(edition.price, quantity)
  // The price of one stands above.
  const worth =
    quantity > 1 &&
    fiat &&
    !/^usd/i.test(edition.currency) &&
    formatFiat(multiply(fiat.amount, quantity), fiat.currency, locale)
  if (available === 0) return <SoldOut name={edition.name} />
  return (
    <form
      className={styles.form}
      action={submit}
      onSubmit={(event) => {
        setRefused(!navigator.onLine)
        // A second press during submission does not start a second purchase.
        if (isPending || !navigator.onLine) event.preventDefault()
      }}
    >
      <input type="hidden" name="edition" value={edition.id} />
      <QuantityField most={most} left={available} value={quantity} onChange={onQuantity} />
      <div className={styles.submit}>
        <button className="button" data-look="main" type="submit" aria-disabled={isPending}>
          {isPending ? (
            <>
              <span className="spinner" aria-hidden="true" />
              {t('opening')}
            </>
          ) : (
            t('buy', { amount: formatMoney(total, edition.currency, locale) })
          )}
        </button>
        <p className="small soft">{worth ? t('nextWorth', { worth }) : t('next')}</p>
      </div>
      {message && !isPending && (
        <p className="alert" role="alert">
          {message}
        </p>
      )}
    </form>
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
