import { HydrationBoundary } from '@tanstack/react-query'
import { readOrderCookie } from 'kassa/server'
import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { notFound } from 'next/navigation'
import { OneLine } from '../../../../../../stories/checkout/examples/OneLine'
import { prefetchOrder } from '../../../../lib/prefetchOrder'
import 'kassa/theme.css'

export const metadata: Metadata = { title: 'Checkout', robots: { index: false }, referrer: 'no-referrer' }

/** The same order as on the page above, in the library's ready checkout and its own look. */
export default async function PanelPage({ params }: { params: Promise<{ orderId: string }> }) {
  const [{ orderId }, jar] = await Promise.all([params, cookies()])
  const clientSecret = readOrderCookie(jar, orderId)
  if (!clientSecret) notFound()
  return (
    <HydrationBoundary state={await prefetchOrder({ orderId, clientSecret })}>
      {/* The secret stays in its cookie: the browser has none to give. */}
      <OneLine orderId={orderId} clientSecret="" />
    </HydrationBoundary>
  )
}
