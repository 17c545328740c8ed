import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { ServiceAway } from '../../components/shop/ServiceAway'
import { getShop } from '../../lib/shop'
import { openShopStore } from '../../lib/store/shopStore'
import { isShopkeeper } from './isShopkeeper'
import { OrderList } from './OrderList'

export const metadata: Metadata = { title: 'Orders', robots: { index: false } }

/**
 * The shop's back office: which orders were placed, paid and shipped. It requires `KASSA_SHOP_PASSWORD`.
 * Without a password it is open in a sandbox and closed elsewhere.
 */
export default async function OrdersPage() {
  const password = process.env.KASSA_SHOP_PASSWORD
  if (password) {
    if (!isShopkeeper((await headers()).get('authorization'), password)) notFound()
  } else {
    const shop = await getShop()
    if (!shop) return <ServiceAway />
    if (!shop.isSandbox) notFound()
  }
  try {
    return <OrderList orders={await openShopStore().list()} />
  } catch (error) {
    console.error(error)
    return (
      <div className="notice" role="alert">
        <h1 className="title">The orders cannot be read</h1>
        <p className="lead">{error instanceof Error && error.message}</p>
      </div>
    )
  }
}
