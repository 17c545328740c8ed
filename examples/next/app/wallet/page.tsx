import { loadMessages } from 'kassa/locales'
import { findLocale } from 'kassa/schema'
import type { Metadata } from 'next'
import { ServiceAway } from '../../components/shop/ServiceAway'
import { OwnWalletSection } from '../../components/wallet/OwnWalletSection'
import { SignInForm } from '../../components/wallet/SignInForm'
import { WalletProviders } from '../../components/wallet/WalletProviders'
import { WalletView } from '../../components/wallet/WalletView'
import { getOrigin, readEnvironment } from '../../lib/environment'
import { getLanguage } from '../../lib/language/getLanguage'
import { getTranslate } from '../../lib/language/getTranslate'
import { getCurrentSession } from '../../lib/session/currentSession'
import { getShop } from '../../lib/shop'
import { askForLink, signOut } from './actions'

/** Returns what keeps the page to its visitor. */
export const generateMetadata = async (): Promise<Metadata> => {
  const t = await getTranslate('wallet')
  return { title: t('title'), robots: { index: false } }
}

/**
 * Shows the editions in the visitor's own wallet, and the tokens of a visitor who has proved control of an e-mail
 * address.
 */
export default async function WalletPage() {
  const [session, shop, language] = await Promise.all([getCurrentSession(), getShop(), getLanguage()])
  if (!shop) return <ServiceAway />
  const { publicBaseUrl, credentialIssuer, walletConnectId } = readEnvironment(process.env)
  const serviceUrl = getOrigin(publicBaseUrl)
  const own = (
    <OwnWalletSection
      serviceUrl={serviceUrl}
      isSandbox={shop.isSandbox}
      networks={shop.networks}
      paymentRules={shop.paymentRules}
      walletConnectId={walletConnectId}
      messages={language === 'en' ? undefined : await loadMessages(findLocale(language))}
    />
  )
  if (!session) {
    return (
      <SignInForm action={askForLink} isSandbox={shop.isSandbox}>
        {own}
      </SignInForm>
    )
  }
  return (
    <WalletProviders
      // The key keeps one user's cached data from being shown to another.
      key={session.email}
      imageGateway={`${serviceUrl}/ipfs/`}
      sandboxUrl={shop.isSandbox ? `${serviceUrl}/sandbox` : undefined}
    >
      <WalletView
        email={session.email}
        networks={shop.networks}
        issuer={credentialIssuer}
        signOut={signOut}
      />
      {own}
    </WalletProviders>
  )
}
