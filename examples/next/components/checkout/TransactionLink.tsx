'use client'

import { useTranslations } from 'use-intl'
import { useCheckoutShop } from '../../lib/checkoutShop'
import { getExplorerUrl } from '../../lib/networks'
import { Address } from './Address'

/** Links a transaction to its block explorer, or shows it without a link if there is none. */
export function TransactionLink({ txId, chain }: { txId: string; chain: string | undefined }) {
  const t = useTranslations('common')
  const { networks } = useCheckoutShop()
  const url = chain === undefined ? undefined : getExplorerUrl(networks, chain, txId)
  if (!url) return <Address value={txId} />
  return (
    <a className="explorer" href={url} target="_blank" rel="noreferrer">
      <Address value={txId} />
      <span className="hidden"> {t('explorer')}</span>
      <span aria-hidden="true"> ↗</span>
    </a>
  )
}
