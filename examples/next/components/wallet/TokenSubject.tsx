'use client'

import type { WalletToken } from 'kassa/schema'
import { describeToken } from '../../lib/wallet/describeToken'
import styles from './Dialog.module.css'
import { TokenImage } from './TokenImage'

/** The token that a window is about: small, with its name and where it is. */
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
        </p>
        <p className="small soft">
          {[collection !== name && collection, chainLabel, token.tokenId && `No. ${token.tokenId}`]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
    </div>
  )
}
