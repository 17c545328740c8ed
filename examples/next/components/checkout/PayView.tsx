'use client'

import type { Order } from 'kassa'
import { usePayOrder } from 'kassa'
import { useConnection } from 'wagmi'
import { useBuyerDetails } from '../../lib/useBuyerDetails'
import { DeliverySection } from './DeliverySection'
import type { OrderAccess } from './OrderCheckout'
import { PayBar } from './PayBar'
import { PaymentSection } from './PaymentSection'
import styles from './PayView.module.css'
import { Summary } from './Summary'
import { WalletSection } from './WalletSection'

/** The screen before a payment: a wallet, a recipient and the pay button. */
export function PayView({ access, order }: { access: OrderAccess; order: Order }) {
  const { status } = useConnection()
  const { step } = usePayOrder(access)
  const details = useBuyerDetails(access, order)
  const isConnected = status === 'connected'
  const isLocked = step.status !== 'idle' && step.status !== 'failed'
  return (
    <div className={styles.columns}>
      <div className={styles.steps}>
        <WalletSection isLocked={isLocked} />
        {isConnected && <DeliverySection details={details} isLocked={isLocked} />}
        {isConnected && <PaymentSection order={order} details={details} isLocked={isLocked} />}
      </div>
      <div className={styles.aside}>
        <Summary order={order} />
        {isConnected && <PayBar access={access} order={order} details={details} isLocked={isLocked} />}
      </div>
    </div>
  )
}
