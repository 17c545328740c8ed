'use client'

import { Checkout, getStage, type Order } from 'kassa'
import Link from 'next/link'
import { useTranslations } from 'use-intl'
import { isSameAddress } from '../../lib/delivery'
import type { Translate } from '../../lib/language/createTranslate'
import { useWallets } from '../../lib/useWallets'
import { ReceiptActions } from './ReceiptActions'
import { ReceiptPaper } from './ReceiptPaper'
import styles from './ReceiptView.module.css'
import { RefundForm } from './RefundForm'
import { TokenCard } from './TokenCard'

const getTitle = (order: Order, count: number, t: Translate<'receipt'>): string => {
  if (count === 0) return t('nothing')
  if (getStage(order) === 'failed') return t('part')
  return t('arrived', { count })
}

/** Leads to the wallet's page if the goods are there: in the connected wallet, or in one kept for an e-mail address. */
function WalletLink({ order }: { order: Order }) {
  const t = useTranslations('receipt')
  const item = order.lineItems.find(({ delivery }) => delivery.tokens?.length)
  const { email, walletAddress } = item?.delivery.recipient ?? {}
  const { address } = useWallets(item?.chain)
  if (!email && !(address && isSameAddress(walletAddress, address))) return null
  return (
    <Link className={`button ${styles.wallet}`} data-look="main" href="/wallet">
      {email ? t('seeWalletOf', { email }) : t('seeWallet')}
    </Link>
  )
}

/** Shows the works that were bought, where they are, and the receipt to keep. */
export function ReceiptView({ order }: { order: Order }) {
  const t = useTranslations('receipt')
  const count = order.lineItems.flatMap(({ delivery }) => delivery.tokens ?? []).length
  return (
    <div className={styles.view}>
      <div className={styles.head}>
        <h1 className="title">{getTitle(order, count, t)}</h1>
        <Checkout.Status aria-live="off" className="lead" />
      </div>
      <Checkout.Receipt className={styles.tokens} aria-label={t('editions', { count })}>
        {(tokens) => tokens.map((token) => <TokenCard key={token.locator} token={token} />)}
      </Checkout.Receipt>
      <RefundForm order={order} />
      <ReceiptPaper order={order} />
      <ReceiptActions order={order} />
      <p className={styles.onward}>
        {count > 0 && <WalletLink order={order} />}
        <Link className="button" href="/">
          {t('back')}
        </Link>
      </p>
    </div>
  )
}
