import type { Metadata } from 'next'
import Link from 'next/link'
import { ConfirmSignIn } from '../../../components/wallet/ConfirmSignIn'
import { getTranslate } from '../../../lib/language/getTranslate'
import { readSignInToken } from '../../../lib/session/signInLink'
import { confirmLink } from '../actions'

// This page's address signs a person in, so other sites never receive it. This site must receive it: a form
// sent before the page's script loads would otherwise have no origin and be refused.
export const generateMetadata = async (): Promise<Metadata> => {
  const t = await getTranslate('signIn')
  return { title: t('title'), robots: { index: false }, referrer: 'same-origin' }
}

/** Opens from the link in a sign-in e-mail. */
export default async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<{ token?: string | string[] }>
}) {
  const { token } = await searchParams
  const claim = typeof token === 'string' ? readSignInToken(token) : undefined
  if (typeof token === 'string' && claim)
    return <ConfirmSignIn email={claim.email} token={token} action={confirmLink} />
  const t = await getTranslate('signIn')
  return (
    <div className="notice">
      <h1 className="title">{t('oldLinkTitle')}</h1>
      <p className="lead">{t('oldLink')}</p>
      <Link className="button" href="/wallet">
        {t('goToWallet')}
      </Link>
    </div>
  )
}
