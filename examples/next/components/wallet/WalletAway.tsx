'use client'

import { isKassaError } from 'kassa/api'

/** Says that the wallet cannot be loaded, and retries. */
export function WalletAway({ error, retry }: { error: unknown; retry: () => void }) {
  const isSignedOut = isKassaError(error, 'api.unauthorized')
  return (
    <div className="alert" role="alert">
      <p>
        <strong>{isSignedOut ? 'You are signed out' : 'Your wallet cannot be reached'}</strong>
      </p>
      <p>
        {isSignedOut
          ? 'A week has passed, or you signed out in another tab. Nothing is lost: sign in again.'
          : 'The shop’s service does not answer at the moment. What you own is on its network and safe.'}
      </p>
      <button className="button" type="button" onClick={isSignedOut ? () => location.reload() : retry}>
        {isSignedOut ? 'Sign in' : 'Try again'}
      </button>
    </div>
  )
}
