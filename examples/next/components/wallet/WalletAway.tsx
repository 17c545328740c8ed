'use client'

import { isKassaError } from 'kassa/api'
import { useTranslations } from 'use-intl'

/** Says that the wallet cannot be loaded, and retries. */
export function WalletAway({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useTranslations('wallet')
  const isSignedOut = isKassaError(error, 'api.unauthorized')
  return (
    <div className="alert" role="alert">
      <p>
        <strong>{isSignedOut ? t('signedOutTitle') : t('awayTitle')}</strong>
      </p>
      <p>{isSignedOut ? t('signedOut') : t('away')}</p>
      <button className="button" type="button" onClick={isSignedOut ? () => location.reload() : retry}>
        {isSignedOut ? t('signIn') : t('tryAgain')}
      </button>
    </div>
  )
}
