'use client'

import type { WalletToken } from 'kassa/schema'
import { useId } from 'react'
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
  const id = useId()
  const { name, collection, chainLabel, image, expiresAt } = describeToken(token)
  const canSend = isSendable(token)
  const isOver = expiresAt !== undefined && expiresAt.getTime() < Date.now()
  return (
    <article className={styles.token} aria-labelledby={id}>
      <div className={styles.wall}>
        <TokenImage url={image} name={name} />
      </div>
      <h3 className={styles.name} id={id}>
        {name}
        {token.tokenId && !name.includes(token.tokenId) && (
          <span className={styles.number}> No. {token.tokenId}</span>
        )}
      </h3>
      <div className={styles.facts}>
        <p>{[collection !== name && collection, chainLabel].filter(Boolean).join(' · ')}</p>
        {expiresAt && (
          <p>
            {isOver ? 'Subscription ended on ' : 'Subscription until '}
            <LongDate at={expiresAt} />
          </p>
        )}
        {!canSend && <p>Tokens on {chainLabel} cannot be sent from here yet.</p>}
      </div>
      <div className={styles.actions}>
        {canSend && (
          <button className="button" type="button" onClick={() => onOpen('send')} aria-describedby={id}>
            Send
          </button>
        )}
        <button className="button" type="button" onClick={() => onOpen('credential')} aria-describedby={id}>
          Credential
        </button>
      </div>
    </article>
  )
}
