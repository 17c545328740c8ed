'use client'

import { Checkout, getStage, isChangeable, type Order, usePayOrder } from 'kassa'
import { getRest } from '../../lib/getRest'
import { isRefusedToBuyer } from '../../lib/saleRule'
import { useBuyerDetails } from '../../lib/useBuyerDetails'
import { useWallets } from '../../lib/useWallets'
import { DeliverySection } from './DeliverySection'
import type { OrderAccess } from './OrderCheckout'
import { PayBar } from './PayBar'
import { PaymentSection } from './PaymentSection'
import styles from './PayView.module.css'
import { RefundForm } from './RefundForm'
import { ReturnedPayment } from './ReturnedPayment'
import { BuyRest, ShortStock } from './ShortStock'
import { Summary } from './Summary'
import { TransferSection } from './TransferSection'
import { WalletSection } from './WalletSection'

/** The screen before a payment: a wallet, a recipient and the pay button. */
export function PayView({ access, order }: { access: OrderAccess; order: Order }) {
  if (getStage(order) === 'unavailable' && !isRefusedToBuyer(order)) {
    return (
      <div className={styles.columns}>
        <div className={styles.steps}>
          <ShortStock order={order} />
        </div>
        <div className={styles.aside}>
          <Summary order={order} currency={order.payment.currency} isConnected={false} />
        </div>
      </div>
    )
  }
  return <Payable access={access} order={order} />
}

function Payable({ access, order }: { access: OrderAccess; order: Order }) {
  const { step } = usePayOrder(access)
  const details = useBuyerDetails(access, order)
  const isConnected = useWallets(details.method).status === 'connected'
  const rest = getStage(order) === 'unavailable' ? getRest(order) : undefined
  const isLocked = step.status !== 'idle' && step.status !== 'failed'
  // The order takes no new payer then, so the wallet that it names pays, or another device.
  const needsNoWallet = !isChangeable(order) && !order.payment.preparation?.payerAddress && !isConnected
  return (
    <div className={styles.columns}>
      <div className={styles.steps}>
        <RefundForm order={order} />
        <PaymentSection access={access} order={order} details={details} isLocked={isLocked} />
        {!needsNoWallet && <WalletSection order={order} method={details.method} isLocked={isLocked} />}
        {isConnected && <DeliverySection order={order} details={details} isLocked={isLocked} />}
        <ReceiptEmailForm />
        {rest && <BuyRest order={order} rest={rest} />}
        <TransferSection order={order} details={details} isLocked={isLocked} isConnected={isConnected} />
      </div>
      <div className={styles.aside}>
        <Summary order={order} currency={details.currency} isConnected={isConnected} />
        {isConnected ? (
          <PayBar access={access} order={order} details={details} isLocked={isLocked} />
        ) : (
          <ReturnedPayment order={order} />
        )}
      </div>
    </div>
  )
}

/** Asks for the e-mail address of the receipt. Absent unless the order needs it. */
function ReceiptEmailForm() {
  return (
    <Checkout.EmailForm className={styles.refund}>
      <h2 className="heading">
        <Checkout.Status aria-live="off" />
      </h2>
      <Checkout.Field name="receiptEmail">
        <Checkout.FieldLabel />
        <Checkout.FieldInput className="field" />
        <Checkout.FieldError />
      </Checkout.Field>
      <Checkout.Submit className="button" data-look="main" />
    </Checkout.EmailForm>
  )
}
