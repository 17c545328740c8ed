'use client'

import { useCheckoutShop } from '../../lib/checkoutShop'
import styles from './PayView.module.css'

/**
 * Lists the settings a buyer's own wallet needs to pay in the sandbox. Its networks share only their names
 * with public ones.
 */
export function SandboxNetworks() {
  const { networks } = useCheckoutShop()
  return (
    <details className={styles.networks}>
      <summary>Use a wallet of your own in this sandbox</summary>
      <p>
        The sandbox runs its own copies of these networks. In your wallet, set the address (RPC URL) of the
        one you pay on:
      </p>
      <dl>
        {networks.map(({ name, label, rpcUrl, chainId }) => (
          <div key={name}>
            <dt>
              {label}, chain id {chainId}
            </dt>
            <dd className="code">{rpcUrl}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
