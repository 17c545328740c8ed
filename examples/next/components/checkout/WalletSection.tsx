'use client'

import type { Order } from 'kassa'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { getFamily } from '../../lib/networks'
import { useNextFocus } from '../../lib/useNextFocus'
import { hasOwn, useWallets } from '../../lib/useWallets'
import { Address } from './Address'
import styles from './PayView.module.css'
import { WalletApps } from './WalletApps'
import { WalletList } from './WalletList'

type Props = { order: Order; method: string | undefined; isLocked: boolean }

/** Shows the paying wallet, or the wallets to choose from, for the chain on which the order is paid. */
export function WalletSection({ order, method, isLocked }: Props) {
  const t = useTranslations('wallets')
  const wallets = useWallets(method)
  const { status, address, name, isConnecting } = wallets
  const isConnected = status === 'connected' && address !== undefined
  // Wallets are asked only after the page has mounted; until then the connection state is unknown.
  const [isFirst, setFirst] = useState(true)
  useEffect(() => setFirst(false), [])
  const isBack = isFirst || status === 'reconnecting' || (status === 'connecting' && !isConnecting)
  const heading = useNextFocus<HTMLHeadingElement>(isBack ? undefined : isConnected ? 'wallet' : 'choice')
  return (
    <section className={styles.section} aria-labelledby="wallet-title">
      <h2 ref={heading} id="wallet-title" className="heading" tabIndex={-1}>
        {isConnected ? t('title') : t('choose')}
      </h2>
      {isConnected ? (
        <div className={styles.wallet}>
          <p className={styles.account}>
            <strong>{wallets.isDemo ? t('demo') : name}</strong>
            <Address value={address} />
          </p>
          {!isLocked && (
            <p className={styles.switches}>
              {wallets.isDemo && (
                <button className="link" type="button" onClick={wallets.switchAccount}>
                  {t('newAccount')}
                </button>
              )}
              <button className="link" type="button" onClick={wallets.disconnect}>
                {t('change')}
              </button>
            </p>
          )}
        </div>
      ) : isBack ? (
        <>
          <p className={styles.waiting} role="status">
            <span className="spinner" aria-hidden="true" />
            {t('finding')}
          </p>
          <noscript>
            <p>{t('needsJavaScript')}</p>
          </noscript>
        </>
      ) : (
        <>
          <WalletList wallets={wallets} family={getFamily(method)} chain={method} />
          {!hasOwn(wallets) && <WalletApps order={order} method={method} />}
        </>
      )}
    </section>
  )
}
