import type { Metadata } from 'next'
import { ServiceAway } from '../../components/shop/ServiceAway'
import { SignInForm } from '../../components/wallet/SignInForm'
import { WalletProviders } from '../../components/wallet/WalletProviders'
import { WalletView } from '../../components/wallet/WalletView'
import { getOrigin, readEnvironment } from '../../lib/environment'
import { getCurrentSession } from '../../lib/session/currentSession'
import { getShop } from '../../lib/shop'
import { askForLink, signOut } from './actions'

export const metadata: Metadata = { title: 'Your wallet', robots: { index: false } }

/** Shows the tokens of a visitor who has proved control of an e-mail address. */
export default async function WalletPage() {
  const [session, shop] = await Promise.all([getCurrentSession(), getShop()])
  if (!shop) return <ServiceAway />
  if (!session) return <SignInForm action={askForLink} isSandbox={shop.isSandbox} />
  const { publicBaseUrl, credentialIssuer } = readEnvironment(process.env)
  const serviceUrl = getOrigin(publicBaseUrl)
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
    </WalletProviders>
  )
}
