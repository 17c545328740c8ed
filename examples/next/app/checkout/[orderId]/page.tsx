import { HydrationBoundary } from '@tanstack/react-query'
import { readOrderCookie } from 'kassa/server'
import type { Metadata } from 'next'
import { cookies, headers } from 'next/headers'
import Link from 'next/link'
import { OrderCheckout } from '../../../components/checkout/OrderCheckout'
import { prefetchOrder } from '../../../lib/prefetchOrder'

export const metadata: Metadata = { title: 'Checkout', robots: { index: false }, referrer: 'no-referrer' }

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
  return (
    <div className="notice">
      <h1 className="title">This checkout was opened in another browser</h1>
      <p className="lead">
        An order can be seen only in the browser it was made in. Open this address there to go on, or start
        again here.
      </p>
      <Link className="button" href="/">
        See the editions
      </Link>
    </div>
  )
}
