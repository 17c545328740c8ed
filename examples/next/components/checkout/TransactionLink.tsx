'use client'

import type { ReactNode } from 'react'
import { useCheckoutShop } from '../../lib/checkoutShop'
import { getExplorerUrl } from '../../lib/networks'
import { Address } from './Address'

/**
 * Links a transaction to its block explorer.
 *
 * @param props.plain - What to show without a link, because no explorer shows a sandbox's networks.
 */
export function TransactionLink(props: { txId: string; chain: string | undefined; plain?: ReactNode }) {
  const { txId, chain, plain = <Address value={txId} /> } = props
  const { sandboxUrl } = useCheckoutShop()
  const url = sandboxUrl || chain === undefined ? undefined : getExplorerUrl(chain, txId)
  if (!url) return plain
  return (
    <a href={url} target="_blank" rel="noreferrer">
      <Address value={txId} />
      <span className="hidden"> (opens the block explorer)</span>
      <span aria-hidden="true"> ↗</span>
    </a>
  )
}
