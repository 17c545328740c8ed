import type { ReactNode } from 'react'
import { ServiceAway } from '../../components/shop/ServiceAway'
import { getOrigin, readEnvironment } from '../../lib/environment'
import { getShop } from '../../lib/shop'
import { Providers } from '../providers'

/** Loads the wallet code for checkout pages only. */
export default async function CheckoutLayout({ children }: { children: ReactNode }) {
  const shop = await getShop()
  if (!shop) return <ServiceAway />
  const { publicBaseUrl } = readEnvironment(process.env)
  return (
    <Providers
      serviceUrl={getOrigin(publicBaseUrl)}
      isSandbox={shop.isSandbox}
      networks={shop.networks}
      paymentRules={shop.paymentRules}
    >
      {children}
    </Providers>
  )
}
