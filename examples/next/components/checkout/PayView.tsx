'use client'

import { getStage, type Order, usePayOrder } from 'kassa'
import { useBuyerDetails } from '../../lib/useBuyerDetails'
import { useWallets } from '../../lib/useWallets'
import { DeliverySection } from './DeliverySection'
import type { OrderAccess } from './OrderCheckout'
import { PayBar } from './PayBar'
import { PaymentSection } from './PaymentSection'
import styles from './PayView.module.css'
import { RefundForm } from './RefundForm'
import { ReturnedPayment } from './ReturnedPayment'
import { ShortStock } from './ShortStock'
import { Summary } from './Summary'
import { TransferSection } from './TransferSection'
import { WalletSection } from './WalletSection'

/** The screen before a payment: a wallet, a recipient and the pay button. */
export function PayView({ access, order }: { access: OrderAccess; order: Order }) {
  if (getStage(order) === 'unavailable') {
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
  const isLocked = step.status !== 'idle' && step.status !== 'failed'
  return (
    <div className={styles.columns}>
      <div className={styles.steps}>
        <RefundForm order={order} />
        <PaymentSection access={access} order={order} details={details} isLocked={isLocked} />
        <WalletSection order={order} method={details.method} isLocked={isLocked} />
        {isConnected && <DeliverySection order={order} details={details} isLocked={isLocked} />}
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
