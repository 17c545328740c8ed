'use client'

import type { Wallet, WalletToken } from 'kassa/schema'
import { useTranslations } from 'use-intl'
import { useCheckoutShop } from '../../lib/checkoutShop'
import { getChainLabel } from '../../lib/networks'
import styles from './Dialog.module.css'

/** Props of {@link SendConfirm}. */
export type SendConfirmProps = {
  token: WalletToken
  wallet: Wallet
  recipient: string
  onBack: () => void
  onConfirm: () => void
}

/** Shows the token and the full recipient address once more before sending. */
export function SendConfirm({ token, wallet, recipient, onBack, onConfirm }: SendConfirmProps) {
  const t = useTranslations('send')
  const common = useTranslations('common')
  const isByPasskey = wallet.type === 'evm-smart-wallet'
  // Outside the sandbox, the service's operator decides whether the wallet pays the fee.
  const isFree = useCheckoutShop().sandboxUrl !== undefined
  return (
    <>
      <dl className={styles.rows}>
        <div>
          <dt>{common('to')}</dt>
          <dd className="code">{recipient}</dd>
        </div>
        <div>
          <dt>{common('network')}</dt>
          <dd>{getChainLabel(token.chain)}</dd>
        </div>
        {isFree && (
          <div>
            <dt>{t('fee')}</dt>
            <dd>{t('noFee')}</dd>
          </div>
        )}
      </dl>
      <p className="small soft">{isByPasskey ? t('comparePasskey') : t('compare')}</p>
      <div className={styles.actions}>
        <button className="button" type="button" onClick={onBack}>
          {t('back')}
        </button>
        <button className="button" data-look="main" type="button" onClick={onConfirm}>
          {t('sendIt')}
        </button>
      </div>
    </>
  )
}
