'use client'

import type { Wallet, WalletToken } from 'kassa/schema'
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
  const isByPasskey = wallet.type === 'evm-smart-wallet'
  // Outside the sandbox, the service's operator decides whether the wallet pays the fee.
  const isFree = useCheckoutShop().sandboxUrl !== undefined
  return (
    <>
      <dl className={styles.rows}>
        <div>
          <dt>To</dt>
          <dd className="code">{recipient}</dd>
        </div>
        <div>
          <dt>Network</dt>
          <dd>{getChainLabel(token.chain)}</dd>
        </div>
        {isFree && (
          <div>
            <dt>Fee</dt>
            <dd>None: the shop pays it</dd>
          </div>
        )}
      </dl>
      <p className="small soft">
        Compare the address: what was sent is not to be had back.
        {isByPasskey && ' Your device asks for your passkey next.'}
      </p>
      <div className={styles.actions}>
        <button className="button" type="button" onClick={onBack}>
          Back
        </button>
        <button className="button" data-look="main" type="button" onClick={onConfirm}>
          Send it
        </button>
      </div>
    </>
  )
}
