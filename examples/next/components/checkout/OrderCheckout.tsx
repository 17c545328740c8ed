'use client'

import { Checkout, useOrder, usePayOrder } from 'kassa'
import { useLayoutEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { focusHeading } from '../../lib/focusHeading'
import { getView } from '../../lib/getView'
import { Announcer } from './Announcer'
import { LoadingView } from './LoadingView'
import styles from './OrderCheckout.module.css'
import { PayView } from './PayView'
import { ProgressView } from './ProgressView'
import { ReceiptView } from './ReceiptView'

/** Identifies the order. The secret that opens it is in a cookie that only this shop's server reads. */
export type OrderAccess = { orderId: string }

/**
 * Takes one order from its price to its receipt. The order alone decides what is shown, so a reload continues
 * where the buyer left off.
 */
export function OrderCheckout(access: OrderAccess) {
  return (
    <Checkout.Root className={styles.root} {...access}>
      <Announcer {...access} />
      <View {...access} />
    </Checkout.Root>
  )
}

function View(access: OrderAccess) {
  const t = useTranslations('checkout')
  const order = useOrder(access)
  const { step } = usePayOrder(access)
  const view = order.data && getView(order.data, step)
  useStartAgain(view)
  if (!order.data) return <LoadingView error={order.error} refetch={() => void order.refetch()} />
  switch (view) {
    case 'pay':
      return (
        <>
          <h1 className={`title ${styles.title}`}>{t('title')}</h1>
          <PayView access={access} order={order.data} />
        </>
      )
    case 'progress':
      return <ProgressView access={access} order={order.data} />
    default:
      return <ReceiptView order={order.data} />
  }
}

/** When one screen replaces another, the focus moves to its heading, because the pressed button is gone. */
const useStartAgain = (view: string | undefined): void => {
  const last = useRef(view)
  useLayoutEffect(() => {
    const main = document.getElementById('content')
    // A buyer who followed a link waits at the top for the order; one who opened the address directly may be
    // anywhere.
    const isWaiting = last.current !== undefined || document.activeElement === main
    if (main && view && last.current !== view && isWaiting) {
      focusHeading(main)
      window.scrollTo(0, 0)
    }
    last.current = view
  }, [view])
}
