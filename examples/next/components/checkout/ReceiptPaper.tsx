'use client'

import { type Amount, Checkout, type LineItem, type Order } from 'kassa'
import { useLocale, useTranslations } from 'use-intl'
import { formatMoney } from '../../lib/money'
import { getChainLabel } from '../../lib/networks'
import { formatBoughtAt, listRecipients, listTokens } from '../../lib/receiptFacts'
import { useNetworkFee } from '../../lib/useNetworkFee'
import { useShopOrigin } from '../../lib/useShopOrigin'
import { Address } from './Address'
import { Copyable } from './Copyable'
import styles from './ReceiptPaper.module.css'
import { Items } from './Summary'
import { TransactionLink } from './TransactionLink'

const hasCharge = ({ lineItems }: Order, name: 'salesTax' | 'shipping'): boolean =>
  lineItems.some(({ quote }) => /[1-9]/.test(quote.charges?.[name]?.amount ?? ''))

/** Names the tokens of a line item by their numbers and by their contract, in full, because paper has no links. */
function Tokens({ item }: { item: LineItem }) {
  const t = useTranslations('receipt')
  const common = useTranslations('common')
  const { numbers, addresses } = listTokens(item)
  if (addresses.length === 0) return null
  return (
    <div className={styles.tokens}>
      {numbers.length > 0 && <p>{numbers.map((number) => common('number', { number })).join(', ')}</p>}
      {addresses.map(({ of, address }) => (
        <p key={address}>
          {[t(of), ...(item.chain ? [getChainLabel(item.chain)] : [])].join(' · ')}{' '}
          <span className="code">{address}</span>
        </p>
      ))}
    </div>
  )
}

/** The receipt to keep and to print: who sold what to whom, what it cost, and how it was paid. */
export function ReceiptPaper({ order }: { order: Order }) {
  const t = useTranslations('receipt')
  const locale = useLocale()
  const { payment, orderId } = order
  const { received, refunded } = payment
  const chain = received?.chain ?? payment.method
  const shopOrigin = useShopOrigin()
  const fee = useNetworkFee(chain, received)
  // The receipt shows in the browser only once the order was read, so its time zone is the buyer's.
  const boughtAt = formatBoughtAt(order, locale)
  const payer = received?.payerAddress ?? payment.preparation?.payerAddress
  const format = ({ amount, currency }: Amount): string => formatMoney(amount, currency, locale)
  const hasTax = hasCharge(order, 'salesTax')
  const hasShipping = hasCharge(order, 'shipping')
  return (
    <section className={styles.paper} aria-labelledby="receipt-title">
      <header className={styles.head}>
        <h2 id="receipt-title" className="heading">
          {t('title')}
        </h2>
        <p className={styles.shop}>
          Recto <span className={styles.url}>{shopOrigin}</span>
        </p>
      </header>
      <dl className={styles.facts}>
        {boughtAt && (
          <div>
            <dt>{t('date')}</dt>
            <dd suppressHydrationWarning>{boughtAt}</dd>
          </div>
        )}
        <div>
          <dt>{t('order')}</dt>
          <dd>
            <Copyable value={orderId} what={t('orderWhat')} />
          </dd>
        </div>
        {listRecipients(order).map((recipient) => (
          <div key={recipient}>
            <dt>{t('deliveredTo')}</dt>
            <dd className="code">{recipient}</dd>
          </div>
        ))}
      </dl>
      <Items describe={(item) => <Tokens item={item} />} />
      <div className={styles.sums}>
        {(hasTax || hasShipping) && (
          <p>
            {t('subtotal')} <Checkout.Charge of="unit" />
          </p>
        )}
        {hasTax && (
          <p>
            {t('tax')} <Checkout.Charge of="salesTax" />
          </p>
        )}
        {hasShipping && (
          <p>
            {t('shipping')} <Checkout.Charge of="shipping" />
          </p>
        )}
        <p className={styles.total}>
          {t('total')}{' '}
          <span className={styles.sum}>
            <Checkout.Total />
            <Checkout.FiatTotal className={styles.worth} />
          </span>
        </p>
      </div>
      <dl className={styles.facts}>
        {received && (
          <div>
            <dt>{t('paid')}</dt>
            <dd>
              {chain
                ? t('amountOn', { amount: format(received), network: getChainLabel(chain) })
                : format(received)}
            </dd>
          </div>
        )}
        {fee && (
          <div>
            <dt>{t('networkFee')}</dt>
            <dd>{t('feePaid', { amount: format(fee) })}</dd>
          </div>
        )}
        {refunded && (
          <div>
            <dt>{t('sentBack')}</dt>
            <dd>
              <Checkout.Refund />
            </dd>
          </div>
        )}
        {payer && (
          <div>
            <dt>{t('paidBy')}</dt>
            <dd>
              <Address value={payer} />
            </dd>
          </div>
        )}
        {received?.txId && (
          <div>
            <dt>{t('payment')}</dt>
            <dd>
              <TransactionLink txId={received.txId} chain={chain} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}
