'use client'

import { useRouter } from 'next/navigation'
import { useTransition } from 'react'
import { useTranslations } from 'use-intl'

/** Says that the service does not respond, and retries. */
export function ServiceAway() {
  const t = useTranslations('trouble')
  const router = useRouter()
  const [isPending, startTransition] = useTransition()
  return (
    <div className="notice" role="alert">
      <h2 className="heading">{t('awayTitle')}</h2>
      <p className="lead">{t('away')}</p>
      <button
        className="button"
        type="button"
        aria-disabled={isPending}
        onClick={() => startTransition(() => router.refresh())}
      >
        {isPending && <span className="spinner" aria-hidden="true" />}
        {t('tryAgain')}
      </button>
    </div>
  )
}
