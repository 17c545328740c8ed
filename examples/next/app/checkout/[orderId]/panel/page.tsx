import { HydrationBoundary } from '@tanstack/react-query'
import { readOrderCookie } from 'kassa/server'
import type { Metadata } from 'next'
import { cookies, headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { OneLine } from '../../../../../../stories/checkout/examples/OneLine'
import { getTranslate } from '../../../../lib/language/getTranslate'
import { prefetchOrder } from '../../../../lib/prefetchOrder'
import 'kassa/theme.css'

/** Returns what keeps the page to its buyer. */
export const generateMetadata = async (): Promise<Metadata> => {
  const t = await getTranslate('checkout')
  return { title: t('title'), robots: { index: false }, referrer: 'no-referrer' }
}

/** Shows the same order as the page above with the library's ready-made checkout and theme. */
export default async function PanelPage({ params }: { params: Promise<{ orderId: string }> }) {
  const [{ orderId }, jar, visit] = await Promise.all([params, cookies(), headers()])
  const clientSecret = readOrderCookie(jar, orderId, { headers: visit })
  if (!clientSecret) notFound()
  return (
    <HydrationBoundary state={await prefetchOrder({ orderId, clientSecret })}>
      <OneLine orderId={orderId} />
    </HydrationBoundary>
  )
}
