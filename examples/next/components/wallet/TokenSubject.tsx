'use client'

import type { WalletToken } from 'kassa/schema'
import { describeToken } from '../../lib/wallet/describeToken'
import styles from './Dialog.module.css'
import { TokenImage } from './TokenImage'

/** Shows the token a window is about: a small picture, its name and its chain. */
export function TokenSubject({ token }: { token: WalletToken }) {
  const { name, collection, chainLabel, image } = describeToken(token)
  return (
    <div className={styles.subject}>
      <div className={styles.thumb}>
        <TokenImage url={image} name={name} />
      </div>
      <div>
        <p>
          <strong>{name}</strong>
          {token.tokenId && !name.includes(token.tokenId) && (
            <span className="soft"> No. {token.tokenId}</span>
          )}
        </p>
        <p className="small soft">
          {[collection !== name && collection, chainLabel].filter(Boolean).join(' · ')}
        </p>
      </div>
    </div>
  )
}
