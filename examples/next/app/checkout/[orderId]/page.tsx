import { HydrationBoundary } from '@tanstack/react-query'
import { readOrderCookie } from 'kassa/server'
import type { Metadata } from 'next'
import { cookies, headers } from 'next/headers'
import { OpenFromMail } from '../../../components/checkout/OpenFromMail'
import { OrderCheckout } from '../../../components/checkout/OrderCheckout'
import { getTranslate } from '../../../lib/language/getTranslate'
import { prefetchOrder } from '../../../lib/prefetchOrder'
import { openOrder } from './actions'

/** Returns what keeps the page to its buyer. */
export const generateMetadata = async (): Promise<Metadata> => {
  const t = await getTranslate('checkout')
  return { title: t('title'), robots: { index: false }, referrer: 'same-origin' }
}

/** Shows one order: its checkout until it is paid, then its receipt. */
export default async function CheckoutPage({ params }: { params: Promise<{ orderId: string }> }) {
  const [{ orderId }, jar, visit] = await Promise.all([params, cookies(), headers()])
  const clientSecret = readOrderCookie(jar, orderId, { headers: visit })
  if (clientSecret) {
    return (
      <HydrationBoundary state={await prefetchOrder({ orderId, clientSecret })}>
        <OrderCheckout orderId={orderId} />
      </HydrationBoundary>
    )
  }
  return <OpenFromMail orderId={orderId} open={openOrder} />
}
