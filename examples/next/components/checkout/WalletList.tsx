'use client'

import { useTranslations } from 'use-intl'
import { useCheckoutShop } from '../../lib/checkoutShop'
import type { ChainFamily } from '../../lib/networks'
import { hasOwn, type WalletChoice, type Wallets } from '../../lib/useWallets'
import styles from './PayView.module.css'
import { SandboxNetworks } from './SandboxNetworks'

const isDeclined = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  (error.code === 4001 || error.code === 4_001_000)

const getAdvice = (isInstalled: boolean, isSandbox: boolean, family: ChainFamily) => {
  if (isInstalled) return 'advice'
  if (isSandbox) return 'installed'
  return family === 'solana' ? 'noSolana' : 'advice'
}

const describe = ({ isDemo, isElsewhere }: WalletChoice) => {
  if (isDemo) return 'demoText'
  return isElsewhere ? 'elsewhere' : 'found'
}

type Props = {
  wallets: Wallets
  family: ChainFamily
  /** The chain to pay on, by the service's name. */
  chain?: string | undefined
}

/** Lists every wallet in this browser and the sandbox's demo wallet. */
export function WalletList({ wallets, family, chain }: Props) {
  const t = useTranslations('wallets')
  const { choices, isConnecting, error } = wallets
  const { sandboxUrl } = useCheckoutShop()
  return (
    <>
      <ul className={styles.wallets}>
        {choices.map((choice) => (
          <li key={choice.key}>
            <button
              className={styles.choice}
              type="button"
              aria-disabled={isConnecting}
              onClick={() => !isConnecting && choice.connect()}
            >
              <WalletIcon icon={choice.isDemo ? undefined : choice.icon} isDemo={choice.isDemo} />
              <span className={styles.names}>
                <strong>{choice.isDemo ? t('demo') : choice.name}</strong>
                <span className="small soft">{t(describe(choice))}</span>
              </span>
              {choice.isConnecting ? (
                <span className="spinner" aria-hidden="true" />
              ) : (
                <span aria-hidden="true">→</span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {isDeclined(error) && (
        <p className="small soft" role="status">
          {t('declined')}
        </p>
      )}
      {Boolean(error) && !isDeclined(error) && (
        <p className="alert" role="alert">
          {t('failed')}
        </p>
      )}
      <p className="small soft">{t(getAdvice(hasOwn(wallets), sandboxUrl !== undefined, family))}</p>
      {sandboxUrl && <SandboxNetworks family={family} chain={chain} />}
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
