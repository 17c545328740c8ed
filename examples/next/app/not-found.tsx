import type { Metadata } from 'next'
import Link from 'next/link'
import { getTranslate } from '../lib/language/getTranslate'

/** Returns the page's title. */
export const generateMetadata = async (): Promise<Metadata> => {
  const t = await getTranslate('trouble')
  return { title: t('notFound') }
}

/** The page for unknown addresses. */
export default async function NotFound() {
  const t = await getTranslate('trouble')
  return (
    <div className="notice">
      <h1 className="title">{t('notFoundTitle')}</h1>
      <p className="lead">{t('notFoundText')}</p>
      <Link className="button" href="/">
        {t('seeEditions')}
      </Link>
    </div>
  )
}
