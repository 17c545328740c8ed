'use client'

import { Checkout, type Order, useCreateOrder } from 'kassa'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { useTranslations } from 'use-intl'
import { explainOrder } from '../../lib/explainOrder'
import { getRest, type Rest } from '../../lib/getRest'
import type { Translate } from '../../lib/language/createTranslate'
import { isRefusedByRule } from '../../lib/saleRule'
import styles from './ShortStock.module.css'

const describe = ({ lineItems }: Order, rest: Rest | undefined, t: Translate<'checkout'>): string => {
  const [item, ...others] = lineItems
  const name = item?.metadata?.name
  if (others.length) return rest ? t('someLeft') : t('noneLeft')
  if (!rest) return name ? t('nameSoldOut', { name }) : t('thisSoldOut')
  const { quantity: asked = rest.count } = item ?? {}
  return name ? t('nameLeft', { asked, name, count: rest.count }) : t('someLeft')
}

/** Says why an order cannot be filled: the rule of its sale, or its supply. Offers what is left as a new order. */
export function ShortStock({ order }: { order: Order }) {
  const t = useTranslations('checkout')
  const rest = getRest(order)
  return (
    <section className={styles.notice} aria-labelledby="short-title">
      {isRefusedByRule(order) ? (
        <>
          <h2 id="short-title" className="heading">
            <Checkout.Status aria-live="off" />
          </h2>
          <Checkout.Refresh className="button" data-look="main" />
        </>
      ) : (
        <>
          <h2 id="short-title" className="heading">
            {rest ? t('onlyLeft', { count: rest.count }) : t('soldOut')}
          </h2>
          <p>{describe(order, rest, t)}</p>
        </>
      )}
      {rest && <BuyRest order={order} rest={rest} />}
      <Link className="button" href="/#editions">
        {t('others')}
      </Link>
    </section>
  )
}

/** Offers what is left as a new order. */
export function BuyRest({ order, rest }: { order: Order; rest: Rest }) {
  const t = useTranslations('checkout')
  const onBuying = useTranslations('buy')
  const router = useRouter()
  const [isOpening, startOpening] = useTransition()
  // An order keeps its line items, so what is left is another order.
  const { mutate, isPending, error } = useCreateOrder({
    mutation: {
      onSuccess: (created) => startOpening(() => router.replace(`/checkout/${created.order.orderId}`)),
    },
  })
  const { method, currency } = order.payment
  const isBusy = isPending || isOpening
  if (method === undefined || currency === undefined) return null
  return (
    <>
      <button
        className="button"
        data-look="main"
        type="button"
        aria-disabled={isBusy}
        onClick={() => !isBusy && mutate({ cart: rest.cart, payment: { method, currency } })}
      >
        {isBusy && <span className="spinner" aria-hidden="true" />}
        {isBusy ? t('openingCheckout') : t('buyRest', { count: rest.count })}
      </button>
      {error && !isBusy && (
        <p className="alert" role="alert">
          {explainOrder(error, onBuying)}
        </p>
      )}
    </>
  )
}
