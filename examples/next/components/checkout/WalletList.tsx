'use client'

import type { Connector, UseConnectReturnType } from 'wagmi'
import { useCheckoutShop } from '../../lib/checkoutShop'
import { demoWalletId } from '../../lib/demoWallet/demoWallet'
import styles from './PayView.module.css'
import { SandboxNetworks } from './SandboxNetworks'

const isDeclined = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 4001

/** Lists every wallet in this browser and the sandbox's demo wallet. */
export function WalletList(props: { connectors: readonly Connector[]; connect: UseConnectReturnType }) {
  const { connectors, connect } = props
  const { sandboxUrl } = useCheckoutShop()
  const hasOwn = connectors.some(({ id }) => id !== demoWalletId)
  return (
    <>
      <ul className={styles.wallets}>
        {connectors.map((connector) => {
          const isDemo = connector.id === demoWalletId
          const isConnecting = connect.isPending && connect.variables.connector === connector
          return (
            <li key={connector.uid}>
              <button
                className={styles.choice}
                type="button"
                aria-disabled={connect.isPending}
                onClick={() => !connect.isPending && connect.mutate({ connector })}
              >
                <WalletIcon icon={connector.icon} isDemo={isDemo} />
                <span className={styles.names}>
                  <strong>{connector.name}</strong>
                  <span className="small soft">
                    {isDemo ? 'Made for you in this browser, with test funds' : 'Found in this browser'}
                  </span>
                </span>
                {isConnecting ? (
                  <span className="spinner" aria-hidden="true" />
                ) : (
                  <span aria-hidden="true">→</span>
                )}
              </button>
            </li>
          )
        })}
      </ul>
      {connect.error && (
        <p className="alert" role="alert">
          {isDeclined(connect.error)
            ? 'The connection was declined in the wallet. Choose a wallet to go on.'
            : 'The wallet did not connect. Unlock it, then choose it again.'}
        </p>
      )}
      <p className="small soft">
        {hasOwn || !sandboxUrl
          ? 'Connecting shows the shop your address. It cannot move anything without your confirmation.'
          : 'Wallets installed in this browser appear here by themselves.'}
      </p>
      {sandboxUrl && <SandboxNetworks />}
    </>
  )
}

function WalletIcon({ icon, isDemo }: { icon: string | undefined; isDemo: boolean }) {
  // Wallets announce their icon as a data URL, which next/image cannot optimise.
  if (icon) return <img className={styles.icon} src={icon} alt="" width={40} height={40} />
  return (
    <span className={styles.icon} aria-hidden="true">
      <svg aria-hidden="true" viewBox="0 0 40 40" fill="none" stroke="currentColor" strokeWidth="2">
        <rect x="9" y="13" width="22" height="16" rx="3" strokeDasharray={isDemo ? '4 3' : undefined} />
        <circle cx="26" cy="21" r="1.5" fill="currentColor" stroke="none" />
      </svg>
    </span>
  )
}
