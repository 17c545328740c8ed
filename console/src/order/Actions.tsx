import { captureOrder, voidOrder } from 'kassa/api'
import type { Order } from 'kassa/schema'
import { client } from '../api/console.js'
import { useRefresh } from '../api/order.js'
import { useMay } from '../api/session.js'
import { Confirm } from '../components/Confirm.js'
import { useToast } from '../components/Toast.js'
import { formatMoney } from '../lib/format.js'
import { canRefund } from '../lib/orderStatus.js'
import { isUncaptured, listUnshipped } from '../lib/shipments.js'
import { t } from '../messages/index.js'
import { RefundAddressDialog } from './RefundAddressDialog.js'
import { RefundDialog } from './RefundDialog.js'
import { ShipDialog } from './ShipDialog.js'

const Captures = ({ order }: { order: Order }) => {
  const say = useToast()
  const refresh = useRefresh(order.orderId)
  const { orderId, payment, lineItems } = order
  const amount = payment.received ? formatMoney(payment.received) : ''
  const capture = async () => {
    await captureOrder(client, { orderId })
    say(t.capture.done)
    await refresh()
  }
  const release = async () => {
    await voidOrder(client, { orderId })
    say(t.void.done)
    await refresh()
  }
  return (
    <>
      <Confirm
        label={t.void.open}
        title={t.void.title}
        text={t.void.text(amount)}
        action={t.void.confirm}
        run={release}
      />
      <Confirm
        label={t.capture.open}
        title={t.capture.title}
        text={t.capture.text(amount, lineItems.length)}
        action={t.capture.confirm(amount)}
        kind="primary"
        run={capture}
      />
    </>
  )
}

/** Renders what the reader's role may do with an order, as far as the order allows it. */
export const Actions = ({ order }: { order: Order }) => {
  const mayRefund = useMay('orders.refund')
  const mayCapture = useMay('orders.capture')
  const mayShip = useMay('orders.ship')
  const mayUpdate = useMay('orders.update')
  return (
    <>
      {mayUpdate && order.payment.refundHeld?.reason === 'contract-payer' && (
        <RefundAddressDialog order={order} />
      )}
      {mayRefund && canRefund(order) && <RefundDialog order={order} />}
      {mayShip && listUnshipped(order).length > 0 && <ShipDialog order={order} />}
      {mayCapture && isUncaptured(order) && <Captures order={order} />}
    </>
  )
}
