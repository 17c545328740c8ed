'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { CheckoutProvider, useCreateOrder } from 'kassa'
import { createClient } from 'kassa/api'
import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import { checkoutUrl } from '../../lib/environment'
import { explainOrder } from '../../lib/explainOrder'
import type { Cart } from '../../lib/readCart'
import styles from './BuySeries.module.css'

/** Props of {@link BuySeries}. */
export type BuySeriesProps = {
  cart: Cart
  /** The network and currency the checkout opens with. */
  payment: { method: string; currency: string }
}

const client = createClient({ baseUrl: checkoutUrl })

/** Orders a whole cart from the browser. This button needs no wallet, so it loads none. */
export function BuySeries(props: BuySeriesProps) {
  const [queryClient] = useState(() => new QueryClient())
  return (
    <QueryClientProvider client={queryClient}>
      <CheckoutProvider client={client}>
        <SeriesButton {...props} />
      </CheckoutProvider>
    </QueryClientProvider>
  )
}

function SeriesButton(body: BuySeriesProps) {
  const router = useRouter()
  const [isOpening, startOpening] = useTransition()
  const { mutate, isPending, error } = useCreateOrder({
    mutation: {
      onSuccess: ({ order }) => startOpening(() => router.push(`/checkout/${order.orderId}`)),
    },
  })
  const isBusy = isPending || isOpening
  return (
    <div className={styles.buy}>
      <button className="button" type="button" aria-disabled={isBusy} onClick={() => !isBusy && mutate(body)}>
        {isBusy && <span className="spinner" aria-hidden="true" />}
        {isBusy ? 'Opening checkout…' : 'Get the whole series'}
      </button>
      {error && !isBusy && (
        <p className="alert" role="alert">
          {explainOrder(error)}
        </p>
      )}
    </div>
  )
}
