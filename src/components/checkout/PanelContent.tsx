'use client'

import { type ReactElement, type ReactNode, useMemo, useRef } from 'react'
import { chainError } from '../../errors/chainError.js'
import type { AnyKassaError } from '../../errors/index.js'
import { useProvided } from '../../hooks/checkoutContext.js'
import { useWagmiConfig } from '../../hooks/evm/wagmiConfig.js'
import { fill } from '../../locales/fill.js'
import { formatAmount } from '../../order/formatAmount.js'
import { isFreeOrder } from '../../order/free.js'
import type { ChargeName } from '../../order/index.js'
import { isChangeable } from '../../order/payment.js'
import { getCharge, getTotal } from '../../order/totals.js'
import { fromBaseUnits, toBaseUnits } from '../../schema/baseUnits.js'
import { ofFamily } from '../../schema/chains.js'
import type { Order } from '../../schema/index.js'
import { findChain } from './evm/findChain.js'
import { RecipientChange } from './forms/RecipientChange.js'
import { isRefusedToBuyer } from './items/describeUnavailable.js'
import { CheckoutItem } from './items/Item.js'
import { CheckoutItemDelivery } from './items/ItemDelivery.js'
import { CheckoutItemImage } from './items/ItemImage.js'
import { CheckoutItemLimit } from './items/ItemLimit.js'
import { CheckoutItemName } from './items/ItemName.js'
import { CheckoutItemOpening } from './items/ItemOpening.js'
import { CheckoutItemPrice } from './items/ItemPrice.js'
import { CheckoutItemQuantity } from './items/ItemQuantity.js'
import { CheckoutItemRecipient } from './items/ItemRecipient.js'
import { CheckoutItems } from './items/Items.js'
import { Mistake } from './Mistakes.js'
import { getOpenStep } from './openStep.js'
import type { PanelStates } from './panelStates.js'
import { CheckoutBalance } from './payment/Balance.js'
import { CheckoutFunds } from './payment/Funds.js'
import { CheckoutNetworkFee } from './payment/NetworkFee.js'
import { CheckoutPay } from './payment/Pay.js'
import { CheckoutPaymentMethod } from './payment/PaymentMethod.js'
import { Preselection } from './payment/Preselection.js'
import { getPayAction } from './payment/payAction.js'
import { CheckoutCharge } from './price/Charge.js'
import { CheckoutExpiry } from './price/Expiry.js'
import { CheckoutFiatTotal } from './price/FiatTotal.js'
import { CheckoutPromotion } from './price/Promotion.js'
import { CheckoutTotal } from './price/Total.js'
import { CheckoutError } from './progress/Error.js'
import { ErrorElement } from './progress/ErrorElement.js'
import { CheckoutStatus } from './progress/Status.js'
import { useCheckout } from './RootContext.js'
import { Row } from './Row.js'
import { type CheckoutStage, type CheckoutValue, getCheckoutStage, getMessages } from './value.js'
import { isSameAccount } from './wallet/accounts.js'
import { CheckoutDisconnect } from './wallet/Disconnect.js'
import { CheckoutPayer } from './wallet/Payer.js'
import { shorten } from './wallet/shorten.js'
import { useBuyerWallet } from './wallet/useBuyerWallet.js'
import { CheckoutWallets } from './wallet/Wallets.js'

// Bundlers replace `process.env.NODE_ENV`, and then drop what only development needs.
declare const process: { env: { NODE_ENV?: string } }

/** The stages at which the pay button can do or say something. */
const payable: readonly CheckoutStage[] = ['loading', 'ready-to-pay', 'expired', 'insufficient-funds']

/** The stages at which the buyer can still change who pays and with what. */
const open: readonly CheckoutStage[] = ['needs-payer', 'ready-to-pay', 'insufficient-funds']

/** The stages at which a form asks for what the order lacks. */
const asking: readonly CheckoutStage[] = ['needs-recipient', 'needs-address', 'needs-email']

/** The stages at which the buyer can only wait. */
const waiting: readonly CheckoutStage[] = ['paying', 'delivering']

const isCharged = ({ order }: CheckoutValue, name: ChargeName): boolean =>
  /[1-9]/.test((order && getCharge(order, name)?.amount) ?? '')

/** Returns the recipient of all line items; undefined if they differ. */
const getSharedRecipient = ({ lineItems }: Order): string | undefined => {
  const [first, ...others] = lineItems.map(
    ({ delivery }) => delivery.recipient?.email ?? delivery.recipient?.walletAddress,
  )
  return others.every((other) => isSameAccount(other, first)) ? first : undefined
}

// No decimal of the interface has more fraction digits.
const maxDecimals = 60

/** Returns what was paid of the total, as the text of a row: the parts that wait for the rest. */
const showPaid = ({ payment: { remaining }, quote: { totalPrice }, locale }: Order): string | undefined => {
  const [total, left] = [totalPrice, remaining].map((sum) => toBaseUnits(sum?.amount ?? '', maxDecimals))
  if (!remaining || total === undefined || left === undefined) return undefined
  const paid = { amount: fromBaseUnits(total - left, maxDecimals), currency: remaining.currency }
  return `−${formatAmount(paid, locale)}`
}

const select = (value: CheckoutValue) => {
  const { order } = value
  const payer = order?.payment.preparation?.payerAddress
  const recipient = order && getSharedRecipient(order)
  const stage = getCheckoutStage(value)
  const messages = getMessages(value)
  return {
    stage,
    messages,
    // An order that never loaded and cannot has only its error to show.
    isLost: !order && value.error !== undefined,
    isEnded: order?.phase === 'completed',
    hasForm: asking.includes(stage) || order?.payment.refundHeld?.reason === 'contract-payer',
    method: order?.payment.method,
    refundAddress: order?.payment.refundAddress,
    recipient,
    // What goes to the account that pays needs no words.
    isForOther: recipient !== undefined && !isSameAccount(recipient, payer),
    hasMethod: order?.payment.method !== undefined && order.payment.currency !== undefined,
    // While a payment may be on its way, the panel shows only its progress.
    isIdle: ['idle', 'failed'].includes(getOpenStep(value).status),
    // Once a payment was seen that may pay for the order, the service changes nothing of it.
    isChangeable: order !== undefined && isChangeable(order),
    paid: order && showPaid(order),
    left: order?.payment.remaining && formatAmount(order.payment.remaining, order.locale),
    hasPayer: payer !== undefined,
    // What costs nothing is claimed without a wallet.
    isFree: stage === 'ready-to-pay' && order !== undefined && isFreeOrder(order),
    isPriced: !order || getTotal(order) !== undefined,
    isTaxed: isCharged(value, 'salesTax'),
    isShipped: isCharged(value, 'shipping'),
    isDiscounted: isCharged(value, 'discount'),
    hasCodes: order?.lineItems.some(({ quote }) => quote.sale?.hasPromotionCodes) ?? false,
    isCodeEnded: order?.quote.promotion !== undefined && order.quote.promotion.status !== 'applied',
    isRefusedToBuyer: stage === 'unavailable' && order !== undefined && isRefusedToBuyer(order),
    // Its sale has opened, so the buyer can request a price.
    isOpened: stage === 'unavailable' && getPayAction(value) === 'refresh',
  }
}

type Slice = ReturnType<typeof select>

type PanelContentProps = {
  titleId: string
  fallback: ReactNode
  /** The components of the states that may load later. */
  states: PanelStates
}

/** Renders what a panel shows inside its root. */
export function PanelContent({ titleId, fallback, states }: PanelContentProps): ReactElement {
  const slice = useCheckout('Panel', select)
  const { messages, isLost, isPriced, isEnded, recipient } = slice
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
                  <CheckoutItemQuantity /> {!isEnded && <CheckoutItemDelivery />} <CheckoutItemOpening />{' '}
                  {!isEnded && <CheckoutItemLimit />} {recipient === undefined && <CheckoutItemRecipient />}
                </span>
              </div>
              <CheckoutItemPrice />
            </CheckoutItem>
          </CheckoutItems>
          {isPriced && <Sums {...slice} />}
          <Actions {...slice} states={states} />
          {slice.stage === 'unavailable' && !slice.isOpened && fallback}
          {isEnded && <states.CheckoutReceipt />}
        </>
      )}
    </>
  )
}

function Sums({ stage, messages, isTaxed, isShipped, isDiscounted, paid, left }: Slice) {
  const { subtotal, discount, tax, shipping, total, networkFee, inWallet, remaining } = messages
  return (
    <div data-kassa="sums">
      {(isTaxed || isShipped || isDiscounted) && <Sum label={subtotal} of="unit" />}
      {isDiscounted && <Sum label={discount} of="discount" sign="−" />}
      {isTaxed && <Sum label={tax} of="salesTax" />}
      {isShipped && <Sum label={shipping} of="shipping" />}
      <p data-kassa="sum">
        {total} <CheckoutTotal />
      </p>
      <CheckoutFiatTotal render={(props) => <Row props={props} />} />
      {paid !== undefined && left !== undefined && (
        <>
          <Row label={messages.paid} props={{ children: paid }} />
          <p data-kassa="sum" data-of="remaining">
            {remaining} <span>{left}</span>
          </p>
        </>
      )}
      <CheckoutNetworkFee
        // That there is none needs no label.
        render={(props, { amount }) => <Row label={amount === '0' ? '' : networkFee} props={props} />}
      />
      {/* `Checkout.Funds` shows it while it is too little. */}
      {stage !== 'insufficient-funds' && (
        <CheckoutBalance render={(props) => <Row label={inWallet} props={props} />} />
      )}
    </div>
  )
}

function Sum({ label, of, sign = '' }: { label: string; of: ChargeName; sign?: string }) {
  return (
    <p data-kassa="sum">
      {label}{' '}
      <CheckoutCharge
        of={of}
        render={({ children, ...props }) => (
          <span {...props}>
            {sign}
            {children}
          </span>
        )}
      />
    </p>
  )
}

function Actions({
  stage,
  isOpened,
  messages: { payWith, timeLeft: holds, notPossible, refundsTo },
  isFree,
  isIdle,
  isEnded,
  hasForm,
  method,
  hasMethod,
  refundAddress,
  recipient,
  isForOther,
  isChangeable: canChange,
  hasPayer,
  hasCodes,
  isCodeEnded,
  isRefusedToBuyer,
  states,
}: Slice & { states: PanelStates }) {
  const { status } = useBuyerWallet(method)
  const chosenForRef = useRef<string>(undefined)
  const isOpen = open.includes(stage) && !isFree
  const missing = useMissingChain(method)
  const isBlocked = isOpen && isIdle && missing !== undefined
  // A buyer without a connected wallet connects one first and then pays.
  const hasWallet = !isIdle || status === 'connected' || status === 'reconnecting'
  return (
    <div data-kassa="actions">
      <p data-kassa="news">
        {/* It would ask for funds, or for a wallet, that help nothing. */}
        <CheckoutStatus hidden={isBlocked || undefined} />{' '}
        {!isIdle || waiting.includes(stage) ? (
          <states.CheckoutTransactionLink of="payment" />
        ) : (
          <>
            {!isEnded && <states.CheckoutTransactionLink of="refund" />}{' '}
            {stage !== 'expired' && !isFree && (
              <CheckoutExpiry>{({ timeLeft }) => timeLeft && fill(holds, { time: timeLeft })}</CheckoutExpiry>
            )}
          </>
        )}
      </p>
      {waiting.includes(stage) && <states.CheckoutProgress />}
      {hasForm && <states.Forms />}
      {recipient !== undefined && (isForOther || isRefusedToBuyer) && (
        <RecipientChange
          recipient={recipient}
          Form={states.CheckoutRecipientForm}
          isOpen={(open.includes(stage) || isRefusedToBuyer) && isIdle && canChange}
        />
      )}
      {isRefusedToBuyer && <CheckoutWallets />}
      {hasCodes && isIdle && canChange && stage !== 'unavailable' && <states.CheckoutPromotionForm />}
      {isCodeEnded && isIdle && (
        <p>
          <CheckoutPromotion />
        </p>
      )}
      {isOpen && (
        <>
          {hasMethod && (
            // biome-ignore lint/a11y/noLabelWithoutControl: the part renders one.
            <label data-kassa="choice">
              {payWith} <CheckoutPaymentMethod />
            </label>
          )}
          {!isBlocked && (
            <>
              <CheckoutWallets />
              <CheckoutFunds />
              {isIdle && status === 'connected' && <Preselection chosenForRef={chosenForRef} />}
            </>
          )}
        </>
      )}
      {isBlocked && <AppError error={missing} message={notPossible} />}
      <CheckoutError />
      {!isBlocked &&
        (isOpened || (payable.includes(stage) && (hasWallet || isFree || stage !== 'ready-to-pay'))) && (
          <CheckoutPay />
        )}
      {(isOpen || isRefusedToBuyer) && (
        <p data-kassa="account">
          <CheckoutPayer /> <CheckoutDisconnect />
        </p>
      )}
      {isOpen && isIdle && !isBlocked && <states.TransferDetails isOnlyWay={!canChange && !hasPayer} />}
      {/* A thief with the client secret may have named it, so the buyer sees it before paying. */}
      {refundAddress !== undefined && (
        <p data-kassa="refund-address" title={refundAddress}>
          {fill(refundsTo, { address: shorten(refundAddress) })}
        </p>
      )}
    </div>
  )
}

/** Returns the error of an app that cannot pay on an order's chain. Without it, the buyer would be asked for funds first. */
const useMissingChain = (method: string | undefined) => {
  const config = useWagmiConfig()
  const provided = useProvided()
  const areThere = {
    evm: !config || findChain(config, method) !== undefined,
    solana: !provided || provided.solana !== undefined,
  }
  const isThere = ofFamily(areThere, method)
  return useMemo(
    () =>
      method === undefined || isThere ? undefined : chainError('pay.chain-not-configured', { chain: method }),
    [method, isThere],
  )
}

/** Shows a mistake of the app to the buyer, in the shop's words, and to the developer. */
function AppError({ error, message }: { error: AnyKassaError; message: string }) {
  return (
    <>
      {process.env.NODE_ENV === 'development' && <Mistake error={error} />}
      <ErrorElement error={error} message={message} />
    </>
  )
}
