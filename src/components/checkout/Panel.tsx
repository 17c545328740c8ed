'use client'

import { type ReactElement, useId } from 'react'
import { useConnection } from 'wagmi'
import { fill } from '../../locales/fill.js'
import type { ChargeName } from '../../order/index.js'
import { getCharge, getTotal } from '../../order/totals.js'
import { CheckoutAddressForm } from './AddressForm.js'
import { CheckoutCharge } from './Charge.js'
import { CheckoutDisconnect } from './Disconnect.js'
import { CheckoutEmailForm } from './EmailForm.js'
import { CheckoutError } from './Error.js'
import { CheckoutExpiry } from './Expiry.js'
import { CheckoutFunds } from './Funds.js'
import { CheckoutItem } from './Item.js'
import { CheckoutItemDelivery } from './ItemDelivery.js'
import { CheckoutItemImage } from './ItemImage.js'
import { CheckoutItemName } from './ItemName.js'
import { CheckoutItemPrice } from './ItemPrice.js'
import { CheckoutItemQuantity } from './ItemQuantity.js'
import { CheckoutItems } from './Items.js'
import { getOpenStep } from './openStep.js'
import { CheckoutPay } from './Pay.js'
import { CheckoutPayer } from './Payer.js'
import { CheckoutPaymentMethod } from './PaymentMethod.js'
import { CheckoutProgress } from './Progress.js'
import { CheckoutReceipt } from './Receipt.js'
import { CheckoutRecipientForm } from './RecipientForm.js'
import { CheckoutRoot, type CheckoutRootProps, type CheckoutRootState } from './Root.js'
import { useCheckout } from './RootContext.js'
import { CheckoutStatus } from './Status.js'
import { CheckoutTotal } from './Total.js'
import { CheckoutTransactionLink } from './TransactionLink.js'
import { type CheckoutStage, type CheckoutValue, getCheckoutStage, getMessages } from './value.js'
import { CheckoutWallets } from './Wallets.js'

type WithoutChildren<Props> = Props extends unknown ? Omit<Props, 'children'> : never

/** State of {@link CheckoutPanel}: that of its `Checkout.Root`. */
export type CheckoutPanelState = CheckoutRootState

/** Props of {@link CheckoutPanel}: those of `Checkout.Root`, without its children. */
export type CheckoutPanelProps = WithoutChildren<CheckoutRootProps>

/**
 * Renders a `<section>`. A whole checkout in one line: every part, shown where and when a buyer needs it.
 * Place it inside wagmi's provider. `kassa/theme.css` styles it.
 *
 * @example
 * ```tsx
 * import { Checkout } from 'kassa'
 *
 * export const Order = (props: { orderId: string; clientSecret: string }) => <Checkout.Panel {...props} />
 * ```
 */
export function CheckoutPanel(props: CheckoutPanelProps): ReactElement {
  const titleId = useId()
  return (
    <CheckoutRoot aria-labelledby={props['aria-label'] ? undefined : titleId} {...props}>
      <Content titleId={titleId} />
    </CheckoutRoot>
  )
}

/** The stages at which the pay button can do or say something. */
const payable: readonly CheckoutStage[] = ['loading', 'ready-to-pay', 'expired', 'insufficient-funds']

/** The stages at which the buyer can still change who pays and with what. */
const open: readonly CheckoutStage[] = ['needs-payer', 'ready-to-pay', 'insufficient-funds']

/** The stages at which the buyer can only wait. */
const waiting: readonly CheckoutStage[] = ['paying', 'delivering']

const isCharged = ({ order }: CheckoutValue, name: ChargeName): boolean =>
  /[1-9]/.test((order && getCharge(order, name)?.amount) ?? '')

const select = (value: CheckoutValue) => {
  const { order } = value
  const stage = getCheckoutStage(value)
  const messages = getMessages(value)
  return {
    stage,
    messages,
    // An order that never loaded and cannot has only its error to show.
    isLost: !order && value.error !== undefined,
    isEnded: order?.phase === 'completed',
    hasMethod: order?.payment.method !== undefined && order.payment.currency !== undefined,
    // While a payment may be on its way, the panel shows only its progress.
    isIdle: ['idle', 'failed'].includes(getOpenStep(value).status),
    isPriced: !order || getTotal(order) !== undefined,
    isTaxed: isCharged(value, 'salesTax'),
    isShipped: isCharged(value, 'shipping'),
  }
}

type Slice = ReturnType<typeof select>

function Content({ titleId }: { titleId: string }) {
  const slice = useCheckout('Panel', select)
  const { messages, isLost, isPriced, isEnded } = slice
  return (
    <>
      <h2 id={titleId} data-kassa="heading">
        {messages.order}
      </h2>
      {isLost ? (
        <CheckoutError />
      ) : (
        <>
          <CheckoutItems>
            <CheckoutItem>
              <CheckoutItemImage />
              <div data-kassa="item-text">
                <CheckoutItemName />
                <span data-kassa="item-notes">
                  <CheckoutItemQuantity /> {!isEnded && <CheckoutItemDelivery />}
                </span>
              </div>
              <CheckoutItemPrice />
            </CheckoutItem>
          </CheckoutItems>
          {isPriced && <Sums {...slice} />}
          <Actions {...slice} />
          <CheckoutReceipt />
        </>
      )}
    </>
  )
}

function Sums({ messages: { subtotal, tax, shipping, total }, isTaxed, isShipped }: Slice) {
  return (
    <div data-kassa="sums">
      {(isTaxed || isShipped) && <Sum label={subtotal} of="unit" />}
      {isTaxed && <Sum label={tax} of="salesTax" />}
      {isShipped && <Sum label={shipping} of="shipping" />}
      <p data-kassa="sum">
        {total} <CheckoutTotal />
      </p>
    </div>
  )
}

function Sum({ label, of }: { label: string; of: ChargeName }) {
  return (
    <p data-kassa="sum">
      {label} <CheckoutCharge of={of} />
    </p>
  )
}

function Actions({ stage, messages: { payWith, timeLeft: holds }, isIdle, isEnded, hasMethod }: Slice) {
  const { status } = useConnection()
  const isOpen = open.includes(stage)
  // A buyer without a connected wallet connects one first and then pays.
  const hasWallet = !isIdle || status === 'connected' || status === 'reconnecting'
  return (
    <div data-kassa="actions">
      <p data-kassa="news">
        <CheckoutStatus />{' '}
        {!isIdle || waiting.includes(stage) ? (
          <CheckoutTransactionLink of="payment" />
        ) : (
          <>
            {!isEnded && <CheckoutTransactionLink of="refund" />}{' '}
            {stage !== 'expired' && (
              <CheckoutExpiry>{({ timeLeft }) => timeLeft && fill(holds, { time: timeLeft })}</CheckoutExpiry>
            )}
          </>
        )}
      </p>
      {waiting.includes(stage) && <CheckoutProgress />}
      <CheckoutRecipientForm />
      <CheckoutAddressForm />
      <CheckoutEmailForm />
      {isOpen && (
        <>
          {hasMethod && (
            // biome-ignore lint/a11y/noLabelWithoutControl: the part renders one.
            <label data-kassa="choice">
              {payWith} <CheckoutPaymentMethod />
            </label>
          )}
          <CheckoutWallets />
          <CheckoutFunds />
        </>
      )}
      <CheckoutError />
      {payable.includes(stage) && (hasWallet || stage !== 'ready-to-pay') && <CheckoutPay />}
      {isOpen && (
        <p data-kassa="account">
          <CheckoutPayer /> <CheckoutDisconnect />
        </p>
      )}
    </div>
  )
}
