import type { Metadata } from 'next'
import Link from 'next/link'
import { ConfirmSignIn } from '../../../components/wallet/ConfirmSignIn'
import { readSignInToken } from '../../../lib/session/signInLink'
import { confirmLink } from '../actions'

// This page's address signs a person in, so other sites never receive it. This site must receive it: a form
// sent before the page's script loads would otherwise have no origin and be refused.
export const metadata: Metadata = { title: 'Sign in', robots: { index: false }, referrer: 'same-origin' }

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
  return (
    <div className="notice">
      <h1 className="title">This link does not count any more</h1>
      <p className="lead">
        A link works once, and for 15 minutes. If you are signed in already, your wallet is open; otherwise
        ask for a new link there.
      </p>
      <Link className="button" href="/wallet">
        Go to your wallet
      </Link>
    </div>
  )
}
