import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { notFound } from 'next/navigation'
import { OneLine } from '../../../../../../stories/checkout/examples/OneLine'
import { getOrderCookie } from '../../../../lib/orderCookie'
import 'kassa/theme.css'

export const metadata: Metadata = { title: 'Checkout', robots: { index: false }, referrer: 'no-referrer' }

/** The same order as on the page above, in the library's ready checkout and its own look. */
export default async function PanelPage({ params }: { params: Promise<{ orderId: string }> }) {
  const [{ orderId }, jar] = await Promise.all([params, cookies()])
  const clientSecret = getOrderCookie(jar)
  if (!clientSecret) notFound()
  return <OneLine orderId={orderId} clientSecret={clientSecret} />
}
