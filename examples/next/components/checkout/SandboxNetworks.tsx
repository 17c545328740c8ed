'use client'

import { useTranslations } from 'use-intl'
import { useCheckoutShop } from '../../lib/checkoutShop'
import type { ChainFamily } from '../../lib/networks'
import styles from './PayView.module.css'

/**
 * Lists the settings a buyer's own wallet needs to pay in the sandbox. Its networks share only their names
 * with public ones.
 */
export function SandboxNetworks({ family }: { family: ChainFamily }) {
  const t = useTranslations('wallets')
  const { networks } = useCheckoutShop()
  return (
    <details className={styles.networks}>
      <summary>{t('ownTitle')}</summary>
      <p>{family === 'solana' ? t('ownSolana') : t('ownEthereum')}</p>
      <dl>
        {networks
          .filter((network) => network.family === family)
          .map((network) => (
            <div key={network.name}>
              <dt>
                {network.family === 'evm'
                  ? t('chainId', { network: network.label, id: String(network.chainId) })
                  : t('localnet', { network: network.label })}
              </dt>
              <dd className="code">{network.rpcUrl}</dd>
            </div>
          ))}
      </dl>
    </details>
  )
}
