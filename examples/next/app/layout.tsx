import type { Metadata, Viewport } from 'next'
import localFont from 'next/font/local'
import Link from 'next/link'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { LanguageSwitch } from '../components/shop/LanguageSwitch'
import { Main } from '../components/shop/Main'
import { Mark } from '../components/shop/Mark'
import { Sentences } from '../components/shop/Sentences'
import { getLanguage } from '../lib/language/getLanguage'
import { getTranslate } from '../lib/language/getTranslate'
import { getShop } from '../lib/shop'
import { getShopUrl } from '../lib/shopUrl'
import './globals.css'

// `optional`: a font that is late, as on a slow first visit, is used from the next page on, so that no text moves.
const text = localFont({
  src: './fonts/instrument-sans.woff2',
  weight: '400 700',
  variable: '--font-text',
  display: 'optional',
})

const display = localFont({
  src: './fonts/instrument-serif.woff2',
  weight: '400',
  variable: '--font-display',
  display: 'optional',
  adjustFontFallback: 'Times New Roman',
})

/** Returns what all pages have in common. */
export async function generateMetadata(): Promise<Metadata> {
  const [shopUrl, t] = await Promise.all([getShopUrl(), getTranslate('shop')])
  return {
    metadataBase: shopUrl ? new URL(shopUrl) : null,
    title: { default: t('title'), template: '%s · Recto' },
    description: t('description'),
    applicationName: 'Recto',
    formatDetection: { telephone: false, address: false, email: false },
  }
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fcfcfb' },
    { media: '(prefers-color-scheme: dark)', color: '#121317' },
  ],
}

/** Renders the frame around every page. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  await connection()
  const [shop, language, t] = await Promise.all([getShop(), getLanguage(), getTranslate('shop')])
  return (
    <html lang={language} className={`${text.variable} ${display.variable}`}>
      <body>
        <header>
          <a className="skip" href="#content">
            {t('skip')}
          </a>
          <div className="bar">
            <Link className="wordmark" href="/">
              <Mark />
              Recto
            </Link>
            <nav className="nav" aria-label={t('navigation')}>
              <Link href="/#editions">{t('editions')}</Link>
              <Link className="wide" href="/#how">
                {t('how')}
              </Link>
              <Link href="/wallet">{t('wallet')}</Link>
            </nav>
          </div>
        </header>
        <Sentences of={['buy', 'trouble']}>
          <Main>{children}</Main>
        </Sentences>
        <footer className="foot">
          <div className="foot-inner">
            {shop?.isSandbox ? (
              <p>{t.rich('sandbox', { strong: (words) => <strong>{words}</strong> })}</p>
            ) : (
              <p>{t('charged')}</p>
            )}
            {shop?.isSandbox && <Link href="/sandbox/mails">{t('mailbox')}</Link>}
            <p>{t('kassa')}</p>
            <LanguageSwitch language={language} label={t('language')} submitLabel={t('setLanguage')} />
          </div>
        </footer>
      </body>
    </html>
  )
}
