'use client'

import type { WalletToken } from 'kassa/schema'
import { useTranslations } from 'use-intl'
import { describeToken } from '../../lib/wallet/describeToken'
import styles from './Dialog.module.css'
import { TokenImage } from './TokenImage'

/** Shows the token a window is about: a small picture, its name and its chain. */
export function TokenSubject({ token }: { token: WalletToken }) {
  const t = useTranslations('common')
  const { name, number, collection, chainLabel, image } = describeToken(token, useTranslations('wallet'))
  return (
    <div className={styles.subject}>
      <div className={styles.thumb}>
        <TokenImage url={image} name={name} />
      </div>
      <div>
        <p>
          <strong>{name}</strong>
          {number && <span className="soft"> {t('number', { number })}</span>}
        </p>
        <p className="small soft">
          {[collection !== name && collection, chainLabel].filter(Boolean).join(' · ')}
        </p>
      </div>
    </div>
  )
}
