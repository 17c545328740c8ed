import type { Metadata, Viewport } from 'next'
import localFont from 'next/font/local'
import Link from 'next/link'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { Main } from '../components/shop/Main'
import { Mark } from '../components/shop/Mark'
import { getShop } from '../lib/shop'
import './globals.css'

const text = localFont({
  src: './fonts/instrument-sans.woff2',
  weight: '400 700',
  variable: '--font-text',
  display: 'swap',
})

const display = localFont({
  src: './fonts/instrument-serif.woff2',
  weight: '400',
  variable: '--font-display',
  display: 'swap',
  adjustFontFallback: 'Times New Roman',
})

export const metadata: Metadata = {
  title: { default: 'Recto: digital editions', template: '%s · Recto' },
  description: 'Pictures in small digital editions, paid from your own wallet and delivered to it.',
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
  const shop = await getShop()
  return (
    <html lang="en" className={`${text.variable} ${display.variable}`}>
      <body>
        <header>
          <a className="skip" href="#content">
            Skip to content
          </a>
          <div className="bar">
            <Link className="wordmark" href="/">
              <Mark />
              Recto
            </Link>
            <nav className="nav" aria-label="Shop">
              <Link href="/#editions">Editions</Link>
              <Link className="wide" href="/#how">
                How it works
              </Link>
              <Link href="/wallet">Your wallet</Link>
            </nav>
          </div>
        </header>
        <Main>{children}</Main>
        <footer className="foot">
          <div className="foot-inner">
            {shop?.isSandbox ? (
              <p>
                <strong>This is a sandbox.</strong> Its networks run for testing only: funds are free and
                nothing here costs money.
              </p>
            ) : (
              <p>Prices are charged on the network shown with each edition.</p>
            )}
            {shop?.isSandbox && <Link href="/sandbox/mails">Sandbox mailbox</Link>}
            {shop?.isSandbox && <Link href="/orders">Orders</Link>}
            <p>Checkout by Kassa</p>
          </div>
        </footer>
      </body>
    </html>
  )
}
