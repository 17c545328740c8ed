'use client'

import Link from 'next/link'
import { useTranslations } from 'use-intl'

/** The page for errors on the shop's side. */
export default function ErrorPage({ retry }: { error: Error & { digest?: string }; retry: () => void }) {
  const t = useTranslations('trouble')
  return (
    <div className="notice" role="alert">
      <h1 className="title">{t('errorTitle')}</h1>
      <p className="lead">{t('error')}</p>
      <button className="button" type="button" onClick={retry}>
        {t('tryAgain')}
      </button>
      <Link href="/">{t('seeEditions')}</Link>
    </div>
  )
}
