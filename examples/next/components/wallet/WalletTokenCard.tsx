'use client'

import type { WalletToken } from 'kassa/schema'
import { useId } from 'react'
import { useTranslations } from 'use-intl'
import { describeToken } from '../../lib/wallet/describeToken'
import { isSendable } from '../../lib/wallet/isSendable'
import { LongDate } from './LongDate'
import { TokenImage } from './TokenImage'
import styles from './Wallet.module.css'

/** What an owner can do with a token: send it or view its credential. */
export type TokenAction = 'send' | 'credential'

/** Props of {@link WalletTokenCard}. */
export type WalletTokenCardProps = {
  token: WalletToken
  onOpen: (action: TokenAction) => void
}

/** Shows one token in a wallet and what its owner can do with it. */
export function WalletTokenCard({ token, onOpen }: WalletTokenCardProps) {
  const t = useTranslations('wallet')
  const common = useTranslations('common')
  const id = useId()
  const { name, number, collection, chainLabel, image, expiresAt } = describeToken(token, t)
  const canSend = isSendable(token)
  const isOver = expiresAt !== undefined && expiresAt.getTime() < Date.now()
  return (
    <article className={styles.token} aria-labelledby={id}>
      <div className={styles.wall}>
        <TokenImage url={image} name={name} />
      </div>
      <h3 className={styles.name} id={id}>
        {name}
        {number && <span className={styles.number}> {common('number', { number })}</span>}
      </h3>
      <div className={styles.facts}>
        <p>{[collection !== name && collection, chainLabel].filter(Boolean).join(' · ')}</p>
        {expiresAt && (
          <p>
            {t.rich(isOver ? 'subscriptionEnded' : 'subscriptionUntil', {
              date: () => <LongDate at={expiresAt} />,
            })}
          </p>
        )}
        {!canSend && <p>{t('notSendable', { network: chainLabel })}</p>}
      </div>
      <div className={styles.actions}>
        {canSend && (
          <button className="button" type="button" onClick={() => onOpen('send')} aria-describedby={id}>
            {t('send')}
          </button>
        )}
        <button className="button" type="button" onClick={() => onOpen('credential')} aria-describedby={id}>
          {t('credential')}
        </button>
      </div>
    </article>
  )
}
