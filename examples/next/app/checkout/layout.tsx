import { loadMessages } from 'kassa/locales'
import { findLocale } from 'kassa/schema'
import type { ReactNode } from 'react'
import { Sentences } from '../../components/shop/Sentences'
import { ServiceAway } from '../../components/shop/ServiceAway'
import { getOrigin, readEnvironment } from '../../lib/environment'
import { getLanguage } from '../../lib/language/getLanguage'
import { getShop } from '../../lib/shop'
import { Providers } from '../providers'

/** Loads the wallet code for checkout pages only. */
export default async function CheckoutLayout({ children }: { children: ReactNode }) {
  const [shop, language] = await Promise.all([getShop(), getLanguage()])
  if (!shop) return <ServiceAway />
  const { publicBaseUrl, walletConnectId } = readEnvironment(process.env)
  return (
    <Sentences of={['buy', 'checkout', 'common', 'payment', 'receipt', 'wallets']}>
      <Providers
        serviceUrl={getOrigin(publicBaseUrl)}
        isSandbox={shop.isSandbox}
        networks={shop.networks}
        paymentRules={shop.paymentRules}
        walletConnectId={walletConnectId}
        messages={language === 'en' ? undefined : await loadMessages(findLocale(language))}
      >
        {children}
      </Providers>
    </Sentences>
  )
}
