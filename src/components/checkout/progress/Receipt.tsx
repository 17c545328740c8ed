'use client'

import { Fragment, type ReactElement, type ReactNode } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { useIsHydrated } from '../../../internal/useIsHydrated.js'
import { formatDate } from '../../../order/formatDate.js'
import { isFreeOrder } from '../../../order/free.js'
import { getItemShipment } from '../../../order/shipment.js'
import { getTotal } from '../../../order/totals.js'
import type { LineItem } from '../../../schema/index.js'
import { CheckoutItemDelivery } from '../items/ItemDelivery.js'
import { CheckoutItemName } from '../items/ItemName.js'
import { CheckoutItemQuantity } from '../items/ItemQuantity.js'
import { CheckoutItemTracking } from '../items/ItemTracking.js'
import { showAmount } from '../price/showAmount.js'
import { ItemIndexContext, useCheckout, useCheckoutItem } from '../RootContext.js'
import { type CheckoutStage, type CheckoutValue, getCheckoutStage, getMessages } from '../value.js'
import { shorten } from '../wallet/shorten.js'
import { CheckoutRefund } from './Refund.js'
import { getReceiptTokens, type ReceiptToken } from './receiptTokens.js'
import { CheckoutTransactionLink } from './TransactionLink.js'

export declare namespace CheckoutReceipt {
  /** State of {@link CheckoutReceipt}. */
  export type State = { stage: CheckoutStage }

  /** Props of {@link CheckoutReceipt}. */
  export type Props = Omit<PartProps<'section', CheckoutReceipt.State>, 'children'> & {
    /** What to show instead of the plain list, or a function of the delivered tokens. */
    children?: ReactNode | ((tokens: ReceiptToken[]) => ReactNode)
  }
}

const select = (value: CheckoutValue) => {
  const { order } = value
  return {
    stage: getCheckoutStage(value),
    messages: getMessages(value),
    lineItems: order?.phase === 'completed' ? order.lineItems : undefined,
    // Without a payment, or from an older service, the time of the price.
    boughtAt: order?.payment.received?.paidAt ?? order?.quote.quotedAt,
    paid: order && !isFreeOrder(order) ? getTotal(order) : undefined,
    locale: order?.locale,
  }
}

/**
 * Renders a `<section>`. Shows what was bought and when, every delivered token, and what failed or was
 * refunded, with all transactions. Absent until the order is completed.
 */
export function CheckoutReceipt({ children, ...props }: CheckoutReceipt.Props): ReactElement | null {
  const { stage, lineItems = [], messages, boughtAt, paid, locale } = useCheckout('Receipt', select)
  // The date depends on the time zone, and only the browser knows the buyer's.
  const date = useIsHydrated() && boughtAt && formatDate(boughtAt, locale)
  const own = (
    <>
      {date && <time dateTime={boughtAt}>{date}</time>}
      {/* biome-ignore lint/a11y/noRedundantRoles: without its marks it is no list to some screen readers. */}
      <ul role="list">
        {/* The index is the key, because a line item has no id. */}
        {lineItems.map((item, index) => (
          <ItemIndexContext key={index} value={index}>
            <ReceiptLine item={item} />
          </ItemIndexContext>
        ))}
      </ul>
      {paid && (
        <p>
          {messages.paid} {showAmount(paid, locale).children} <CheckoutTransactionLink of="payment" />
        </p>
      )}
      <CheckoutRefund /> <CheckoutTransactionLink of="refund" />
    </>
  )
  const element = useRender(
    'section',
    'receipt',
    props,
    { stage },
    {
      'aria-label': messages.receipt,
      children: typeof children === 'function' ? children(getReceiptTokens(lineItems)) : (children ?? own),
    },
  )
  return lineItems.length ? element : null
}

const shortenLong = (text: string): string => (text.length >= 30 ? shorten(text) : text)

/** Names a token by its contract and number, or by its address on Solana. */
const showToken = ({ contractAddress, tokenId, mintHash, locator }: ReceiptToken): string =>
  contractAddress !== undefined && tokenId !== undefined
    ? `${shortenLong(contractAddress)} #${shortenLong(tokenId)}`
    : shortenLong(mintHash ?? locator)

const selectShipped = (item: LineItem | undefined, { order }: CheckoutValue) => ({
  isShipped: item !== undefined && order !== undefined && getItemShipment(order, item) !== undefined,
})

function ReceiptLine({ item }: { item: LineItem }) {
  const { isShipped } = useCheckoutItem('Receipt', selectShipped)
  const tokens = getReceiptTokens([item])
  return (
    <li data-status={item.delivery.status}>
      <CheckoutItemName /> <CheckoutItemQuantity />{' '}
      {tokens.map((token) => (
        <Fragment key={token.locator}>
          <code title={token.locator}>{showToken(token)}</code>{' '}
        </Fragment>
      ))}
      {(!tokens.length || isShipped) && <CheckoutItemDelivery />} <CheckoutItemTracking />{' '}
      <CheckoutTransactionLink />
    </li>
  )
}
