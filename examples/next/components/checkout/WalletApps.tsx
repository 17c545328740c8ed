'use client'

import type { Order } from 'kassa'
import { useSyncExternalStore } from 'react'
import { useTranslations } from 'use-intl'
import { getPublicPath } from '../../lib/editionPath'
import { listWalletLinks } from '../../lib/listWalletLinks'
import { getFamily } from '../../lib/networks'
import { useShopOrigin } from '../../lib/useShopOrigin'
import styles from './WalletApps.module.css'

const touch = '(hover: none) and (pointer: coarse)'
const subscribe = () => () => undefined

const useTouch = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => window.matchMedia(touch).matches,
    () => false,
  )

/**
 * Renders, on a phone, links that open the page of the order's edition in the browsers of wallet apps. They do not lead to
 * the order itself, because only the browser that created it can open it.
 */
export function WalletApps({ order, method }: { order: Order; method: string | undefined }) {
  const t = useTranslations('wallets')
  const origin = useShopOrigin()
  const isTouch = useTouch()
  // A wallet opens no address of this machine.
  if (!isTouch || !origin?.startsWith('https:')) return null
  const page = new URL(getPublicPath(order), origin)
  return (
    <div className={styles.apps}>
      <p>
        <strong>{t('apps')}</strong>
        <span className="small soft">{t('appsText')}</span>
      </p>
      <ul>
        {listWalletLinks(page, getFamily(method)).map(({ name, href }) => (
          <li key={name}>
            <a className="button" href={href} rel="noreferrer">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
