import { cancelShipment } from 'kassa/api'
import type { Order, Shipment } from 'kassa/schema'
import { useState } from 'react'
import { client } from '../api/console.js'
import { useRefresh } from '../api/order.js'
import { useMay } from '../api/session.js'
import { Badge } from '../components/Badge.js'
import { Button } from '../components/Button.js'
import { Card } from '../components/Card.js'
import { Dialog } from '../components/Dialog.js'
import { TextArea } from '../components/Field.js'
import { Form } from '../components/FormDialog.js'
import { Icon } from '../components/Icon.js'
import { useToast } from '../components/Toast.js'
import { formatTime } from '../lib/format.js'
import { isHttps, listShipments, listUnshipped, nameItem } from '../lib/shipments.js'
import { t } from '../messages/index.js'

const s = t.shipments

type TakeBackProps = { orderId: string; shipment: Shipment; onDone(): void }

const TakeBackForm = ({ orderId, shipment: { shipmentId }, onDone }: TakeBackProps) => {
  const say = useToast()
  const refresh = useRefresh(orderId)
  const [reason, setReason] = useState('')
  const cancel = async () => {
    const body = reason.trim() ? { reason: reason.trim() } : {}
    await cancelShipment(client, { orderId, shipmentId, body })
    say(s.cancelled)
    onDone()
    await refresh()
  }
  return (
    <Form action={s.confirm} kind="danger" run={cancel} onCancel={onDone}>
      <p>{s.cancelText}</p>
      <TextArea label={s.reason} name="reason" maxLength={500} value={reason} onValue={setReason} />
    </Form>
  )
}

const TakeBack = ({ orderId, shipment }: Omit<TakeBackProps, 'onDone'>) => {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button size="small" aria-label={s.cancelOf(shipment.carrier)} onClick={() => setOpen(true)}>
        {s.cancel}
      </Button>
      <Dialog title={s.cancelTitle} isOpen={isOpen} onClose={close}>
        <TakeBackForm orderId={orderId} shipment={shipment} onDone={close} />
      </Dialog>
    </>
  )
}

const Parcel = ({ order, shipment }: { order: Order; shipment: Shipment }) => {
  const mayShip = useMay('orders.ship')
  const { carrier, trackingNumber, trackingUrl, lineItems, shippedAt, status, reason } = shipment
  const isCancelled = status === 'cancelled'
  const number = trackingNumber ?? (isHttps(trackingUrl) ? s.track : undefined)
  return (
    <li>
      <div>
        <p className="strong">{carrier}</p>
        {number && (
          <p>
            {isHttps(trackingUrl) ? (
              <a href={trackingUrl} target="_blank" rel="noreferrer" className="copyable">
                <span className={trackingNumber && 'mono'}>{number}</span>
                <Icon name="outside" />
                <span className="hidden">{t.order.opensTab}</span>
              </a>
            ) : (
              <span className="mono">{number}</span>
            )}
          </p>
        )}
        <p className="soft">
          {lineItems.map(({ index }) => nameItem(order, index)).join(', ')} · {formatTime(shippedAt)}
        </p>
        {reason && <p className="soft">{reason}</p>}
      </div>
      <div className="item-end">
        <Badge tone={isCancelled ? 'neutral' : 'good'}>{isCancelled ? s.isCancelled : s.isShipped}</Badge>
        {mayShip && !isCancelled && <TakeBack orderId={order.orderId} shipment={shipment} />}
      </div>
    </li>
  )
}

/** The parcels of an order; absent if there is nothing to ship. */
export const ShipmentsCard = ({ order }: { order: Order }) => {
  const shipments = listShipments(order)
  const left = listUnshipped(order)
  if (!shipments.length && !left.length) return null
  return (
    <Card title={s.title}>
      {left.length > 0 && <p className="quiet">{s.left(left.length)}</p>}
      {shipments.length > 0 && (
        <ul className="rows">
          {shipments.map((shipment) => (
            <Parcel key={shipment.shipmentId} order={order} shipment={shipment} />
          ))}
        </ul>
      )}
    </Card>
  )
}
