'use client'

import type { AnyKassaError } from 'kassa'
import Link from 'next/link'
import { useTranslations } from 'use-intl'
import { useExplainError } from '../../lib/explainError'

const lost: readonly string[] = ['api.not-found', 'api.unauthorized', 'api.forbidden']

/** Shows while the order loads, or when it could not be loaded. */
export function LoadingView({ error, refetch }: { error: AnyKassaError | null; refetch: () => void }) {
  const t = useTranslations('checkout')
  const explain = useExplainError({ isRepeated: true })
  if (!error) {
    return (
      <div className="notice">
        <span className="spinner" aria-hidden="true" />
        <p className="lead">{t('opening')}</p>
      </div>
    )
  }
  if (lost.includes(error.code)) {
    return (
      <div className="notice" role="alert">
        <h1 className="title">{t('lostTitle')}</h1>
        <p className="lead">{t('lost')}</p>
        <Link className="button" href="/">
          {t('seeEditions')}
        </Link>
      </div>
    )
  }
  return (
    <div className="notice" role="alert">
      <h1 className="title">{t('outOfReach')}</h1>
      <p className="lead">{explain(error)}</p>
      <p className="soft">{t('keepsAsking')}</p>
      <button className="button" type="button" onClick={refetch}>
        {t('tryNow')}
      </button>
    </div>
  )
}
