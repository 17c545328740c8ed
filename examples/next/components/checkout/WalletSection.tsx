'use client'

import { useEffect, useState } from 'react'
import { useConnect, useConnection, useConnectors, useDisconnect } from 'wagmi'
import { useCheckoutShop } from '../../lib/checkoutShop'
import { demoWalletId } from '../../lib/demoWallet/demoWallet'
import { useNextFocus } from '../../lib/useNextFocus'
import { Address } from './Address'
import styles from './PayView.module.css'
import { WalletList } from './WalletList'

/** Shows the paying wallet, or the wallets to choose from. */
export function WalletSection({ isLocked }: { isLocked: boolean }) {
  const { status, address, connector } = useConnection()
  const connectors = useConnectors()
  const connect = useConnect()
  const disconnect = useDisconnect()
  const { demo } = useCheckoutShop()
  const isConnected = status === 'connected'
  // Wallets are asked only after the page has mounted; until then the connection state is unknown.
  const [isFirst, setFirst] = useState(true)
  useEffect(() => setFirst(false), [])
  const isBack = isFirst || status === 'reconnecting' || (status === 'connecting' && !connect.isPending)
  const heading = useNextFocus<HTMLHeadingElement>(isBack ? undefined : isConnected ? 'wallet' : 'choice')
  return (
    <section className={styles.section} aria-labelledby="wallet-title">
      <h2 ref={heading} id="wallet-title" className="heading" tabIndex={-1}>
        {isConnected ? 'Wallet' : 'Choose a wallet'}
      </h2>
      {isConnected ? (
        <div className={styles.wallet}>
          <p className={styles.account}>
            <strong>{connector.name}</strong>
            <Address value={address} />
          </p>
          {!isLocked && (
            <p className={styles.switches}>
              {connector.id === demoWalletId && (
                <button className="link" type="button" onClick={() => demo?.switchAccount()}>
                  New account
                </button>
              )}
              <button className="link" type="button" onClick={() => disconnect.mutate({})}>
                Change wallet
              </button>
            </p>
          )}
        </div>
      ) : isBack ? (
        <>
          <p className={styles.waiting} role="status">
            <span className="spinner" aria-hidden="true" />
            Finding your wallet…
          </p>
          <noscript>
            <p>Paying from a wallet needs JavaScript. Your order is kept: turn it on and come back.</p>
          </noscript>
        </>
      ) : (
        <WalletList connectors={connectors} connect={connect} />
      )}
    </section>
  )
}
