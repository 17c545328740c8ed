'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'

/** Props of {@link OpenFromMail}. */
export type OpenFromMailProps = {
  orderId: string
  /** Exchanges the link's token for the cookie that opens the order. */
  open: (orderId: string, token: string) => Promise<boolean>
}

/** Opens an order by the link in its e-mail, or says why this browser cannot open it. */
export function OpenFromMail({ orderId, open }: OpenFromMailProps) {
  const t = useTranslations('checkout')
  const router = useRouter()
  const [state, setState] = useState<'opening' | 'unknown' | 'refused'>('opening')
  useEffect(() => {
    const token = new URLSearchParams(window.location.hash.slice(1)).get('open')
    const ask = async (): Promise<void> => {
      const isOpen = token !== null && (await open(orderId, token).catch(() => false))
      // The address must not keep the token, so that the buyer does not share it. Next notices only after it has mounted.
      window.history.replaceState(null, '', window.location.pathname)
      if (isOpen) router.refresh()
      else setState(token === null ? 'unknown' : 'refused')
    }
    void ask()
  }, [orderId, open, router])
  if (state === 'opening') {
    return (
      <div className="notice" role="status">
        <span className="spinner" aria-hidden="true" />
        <p className="lead">{t('opening')}</p>
        <noscript>
          <p>{t('needsJavaScript')}</p>
        </noscript>
      </div>
    )
  }
  return (
    <div className="notice">
      <h1 className="title">{state === 'unknown' ? t('otherBrowserTitle') : t('oldLinkTitle')}</h1>
      <p className="lead">{state === 'unknown' ? t('otherBrowser') : t('oldLink')}</p>
      <Link className="button" href="/">
        {t('seeEditions')}
      </Link>
    </div>
  )
}
