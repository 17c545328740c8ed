'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { CheckoutProvider, useCreateOrder } from 'kassa'
import { createClient } from 'kassa/api'
import { useRouter } from 'next/navigation'
import { type FormEvent, useActionState, useState, useTransition } from 'react'
import { useTranslations } from 'use-intl'
import type { BuyState } from '../../app/editions/[id]/buy'
import { checkoutUrl } from '../../lib/environment'
import { explainOrder } from '../../lib/explainOrder'
import type { PayMethod } from '../../lib/payOptions'
import type { Cart } from '../../lib/readCart'
import { useOnline } from '../../lib/useOnline'
import styles from './Series.module.css'

/** Props of {@link SeriesButton}. */
export type SeriesButtonProps = {
  cart: Cart
  /** The network and currency the checkout opens with. */
  payment: { method: PayMethod; currency: string }
  /** Creates the order when the button is pressed before its code is here. */
  action: (state: BuyState, form: FormData) => Promise<BuyState>
}

const client = createClient({ baseUrl: checkoutUrl })

/** Orders a whole cart from the browser. This button needs no wallet, so it loads none. */
export function SeriesButton(props: SeriesButtonProps) {
  const [queryClient] = useState(() => new QueryClient())
  return (
    <QueryClientProvider client={queryClient}>
      <CheckoutProvider client={client}>
        <Button {...props} />
      </CheckoutProvider>
    </QueryClientProvider>
  )
}

function Button({ action, ...body }: SeriesButtonProps) {
  const t = useTranslations('buy')
  const router = useRouter()
  const [isOpening, startOpening] = useTransition()
  const isOnline = useOnline()
  const [isRefused, setRefused] = useState(false)
  const { mutate, isPending, error } = useCreateOrder({
    mutation: {
      onSuccess: ({ order }) => startOpening(() => router.push(`/checkout/${order.orderId}`)),
    },
  })
  const [{ message }, submit] = useActionState(action, {})
  const isBusy = isPending || isOpening
  const press = (event: FormEvent) => {
    event.preventDefault()
    setRefused(!navigator.onLine)
    if (!isBusy && navigator.onLine) mutate(body)
  }
  return (
    <form className={styles.buy} action={submit} onSubmit={press}>
      {body.cart.items.map(({ edition }) => (
        <input key={edition} type="hidden" name="edition" value={edition} />
      ))}
      <button className="button" type="submit" aria-disabled={isBusy}>
        {isBusy && <span className="spinner" aria-hidden="true" />}
        {isBusy ? t('opening') : t('series')}
      </button>
      {isRefused && !isOnline && (
        <p className="alert" role="alert">
          {t('offline')}
        </p>
      )}
      {error && !isBusy && (
        <p className="alert" role="alert">
          {explainOrder(error, t)}
        </p>
      )}
      {message && !error && !isBusy && (
        <p className="alert" role="alert">
          {message}
        </p>
      )}
    </form>
  )
}
