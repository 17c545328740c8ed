'use client'

import { Checkout, getStage, type LineItem, type Order } from 'kassa'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { readListFiat, readListPrice } from '../../lib/listPrice'
import { formatMoney, subtract } from '../../lib/money'
import { hasPromotionCodes } from '../../lib/saleRule'
import { FiatPrice } from '../shop/FiatPrice'
import { Letter } from '../shop/Letter'
import forms from './PayView.module.css'
import styles from './Summary.module.css'

/** Shows the items and their cost. Until the order has a price, this is what its goods cost, or the shop's list price. */
export function Summary(props: {
  order: Order
  /** The currency that the buyer has chosen. */
  currency: string | undefined
  /** Whether the buyer's wallet is connected. */
  isConnected: boolean
}) {
  const { order, currency, isConnected } = props
  const t = useTranslations('checkout')
  const locale = useLocale()
  const listPrice = readListPrice(order)
  // The items show it, too: a sum in the list's currency would be a second one.
  const goods = order.lineItems.find(({ quote }) => quote.charges)?.quote.charges?.unit
  const isConverted = currency?.toLowerCase() !== (goods ?? listPrice)?.currency.toLowerCase()
  const inCurrency = listPrice && !order.quote.totalPrice && isConverted && currency?.toUpperCase()
  const shownPrice = listPrice ? formatMoney(listPrice.amount, listPrice.currency, locale) : t('listPrice')
  return (
    <aside className={styles.summary} aria-labelledby="summary-title">
      <h2 id="summary-title" className="heading">
        {t('order')}
      </h2>
      <Items />
      {getStage(order) !== 'unavailable' && hasPromotionCodes(order) && <Promotion />}
      {getStage(order) !== 'unavailable' && (
        <p className={styles.total}>
          <span>{t('total')}</span>
          <span className={styles.sum}>
            <Checkout.Total
              className={styles.amount}
              // Every price of an order uses the same format.
              children={({ amount }) =>
                amount === undefined ? goods ? <Checkout.Charge of="unit" /> : shownPrice : undefined
              }
            />
            <Checkout.FiatTotal className="small soft" />
            {listPrice && !order.quote.totalPrice && (
              <span className="small">
                <FiatPrice price={listPrice} fiat={readListFiat(order)} locale={locale} />
              </span>
            )}
          </span>
        </p>
      )}
      <PartPaid order={order} />
      {isConnected && <WalletFacts order={order} />}
      {inCurrency && <p className={styles.expiry}>{t('inCurrency', { currency: inCurrency })}</p>}
      <p className={styles.expiry}>
        <Checkout.Expiry
          render={(props, { isExpired }) => (
            // The status beside the button says when it has expired.
            <span hidden={isExpired}>{t.rich('locked', { time: () => <time {...props} /> })}</span>
          )}
        />
      </p>
    </aside>
  )
}

/** What was paid of the total, and what is left, while a part of the price waits for the rest. */
function PartPaid({ order: { payment, quote } }: { order: Order }) {
  const t = useTranslations('checkout')
  const receipt = useTranslations('receipt')
  const locale = useLocale()
  const { remaining } = payment
  if (!remaining) return null
  const paid = subtract(quote.totalPrice?.amount ?? '0', remaining.amount) ?? '0'
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{receipt('paid')}</dt>
        <dd>{formatMoney(paid, remaining.currency, locale)}</dd>
      </div>
      <div>
        <dt>{t('left')}</dt>
        <dd>
          <strong>{formatMoney(remaining.amount, remaining.currency, locale)}</strong>
        </dd>
      </div>
    </dl>
  )
}

/** Takes a promotion code, and shows what it takes off. */
function Promotion() {
  return (
    <>
      <Checkout.PromotionForm className={`${forms.refund} ${styles.promotion}`}>
        <Checkout.Field name="promotionCode">
          <Checkout.FieldLabel />
          <Checkout.FieldInput className="field" />
          <Checkout.FieldError />
        </Checkout.Field>
        <Checkout.Submit className="button" />
      </Checkout.PromotionForm>
      <p className={styles.discount}>
        <Checkout.Promotion /> <Checkout.Charge of="discount" />
      </p>
    </>
  )
}

/** What the payment costs beside the price, and what the wallet holds for it. */
function WalletFacts({ order }: { order: Order }) {
  const t = useTranslations('checkout')
  return (
    <dl className={styles.facts}>
      {/* A fee on Solana is a fraction of a cent, and no part estimates it. */}
      {order.payment.method !== 'solana' && (
        <div>
          <dt>{t('networkFee')}</dt>
          <dd>
            <Checkout.NetworkFee />
            <span className={styles.unknown}>…</span>
          </dd>
        </div>
      )}
      <div>
        <dt>{t('balance')}</dt>
        <dd>
          <Checkout.Balance />
          <span className={styles.unknown}>…</span>
        </dd>
      </div>
    </dl>
  )
}

/** The line items with their pictures and the delivery status of each. */
export function Items(props: {
  hasDelivery?: boolean
  /** What else to say about a line item, below it. */
  describe?: (item: LineItem) => ReactNode
}) {
  const { hasDelivery = false, describe } = props
  return (
    <Checkout.Items className={styles.items}>
      {(item) => (
        <Checkout.Item className={styles.item}>
          <span className={styles.frame}>
            <Checkout.ItemImage alt="" />
            {!item.metadata?.imageUrl && (
              <span className={styles.empty}>
                <Letter name={item.metadata?.name ?? ''} />
              </span>
            )}
          </span>
          <span className={styles.what}>
            <Checkout.ItemName className={styles.name} lang="en" />
            <Checkout.ItemQuantity className="small soft" />
            {!hasDelivery && (
              <>
                <Checkout.ItemOpening className="small soft" />
                <Checkout.ItemLimit className="small soft" />
              </>
            )}
          </span>
          {hasDelivery ? (
            <span className={styles.delivery}>
              <Checkout.ItemDelivery /> <Checkout.ItemTracking />
            </span>
          ) : (
            <>
              <Checkout.ItemPrice className={styles.price} />
              <Checkout.ItemDelivery className={styles.shortage} />
            </>
          )}
          {describe?.(item)}
        </Checkout.Item>
      )}
    </Checkout.Items>
  )
}
