import { createShipment } from 'kassa/api'
import type { CreateShipmentBody, Order } from 'kassa/schema'
import { useState } from 'react'
import { client, useOnce } from '../api/console.js'
import { useRefresh } from '../api/order.js'
import { Button } from '../components/Button.js'
import { Dialog } from '../components/Dialog.js'
import { Field } from '../components/Field.js'
import { Form } from '../components/FormDialog.js'
import { Problem } from '../components/Labelled.js'
import { useToast } from '../components/Toast.js'
import { readFields } from '../lib/readFields.js'
import { isHttps, listUnshipped, nameItem } from '../lib/shipments.js'
import { t } from '../messages/index.js'

const s = t.ship

type Parcel = { items: number[]; carrier: string; trackingNumber: string; trackingUrl: string }

const readParcel = ({ items, carrier, trackingNumber, trackingUrl }: Parcel): CreateShipmentBody =>
  readFields(({ refuse }) => {
    if (!items.length) refuse('items', s.needsItems)
    if (!carrier.trim()) refuse('carrier', s.needsCarrier)
    if (trackingUrl.trim() && !isHttps(trackingUrl.trim())) refuse('trackingUrl', s.needsHttps)
    return {
      carrier: carrier.trim(),
      lineItems: items.map((index) => ({ index })),
      ...(trackingNumber.trim() && { trackingNumber: trackingNumber.trim() }),
      ...(trackingUrl.trim() && { trackingUrl: trackingUrl.trim() }),
    }
  })

type FormProps = { order: Order; onDone(): void }

const ShipForm = ({ order, onDone }: FormProps) => {
  const say = useToast()
  const refresh = useRefresh(order.orderId)
  // What can be shipped stays as it was when the form opened, whatever is read meanwhile.
  const [due] = useState(() => listUnshipped(order))
  const [parcel, setParcel] = useState<Parcel>({
    items: due,
    carrier: '',
    trackingNumber: '',
    trackingUrl: '',
  })
  const once = useOnce()
  const ship = async () => {
    const body = readParcel(parcel)
    await once(body, (idempotencyKey) =>
      createShipment(client, { orderId: order.orderId, body, idempotencyKey }),
    )
    say(s.done)
    onDone()
    await refresh()
  }
  const set = (part: Partial<Parcel>) => setParcel({ ...parcel, ...part })
  const field = (name: 'carrier' | 'trackingNumber' | 'trackingUrl', label: string) => (
    <Field
      label={label}
      name={name}
      spellCheck={false}
      inputMode={name === 'trackingUrl' ? 'url' : 'text'}
      maxLength={name === 'trackingUrl' ? 2048 : 100}
      value={parcel[name]}
      onValue={(value) => set({ [name]: value })}
    />
  )
  return (
    <Form action={s.confirm(parcel.items.length)} run={ship} onCancel={onDone}>
      <fieldset className="choices" data-name="items" aria-describedby="items-problem">
        <legend className="label">{s.what}</legend>
        {due.map((index) => (
          <label className="choice" key={index}>
            <input
              type="checkbox"
              checked={parcel.items.includes(index)}
              onChange={({ target }) =>
                set({
                  items: due.filter((each) =>
                    each === index ? target.checked : parcel.items.includes(each),
                  ),
                })
              }
            />
            {nameItem(order, index)}
          </label>
        ))}
        <Problem name="items" />
      </fieldset>
      {field('carrier', s.carrier)}
      {field('trackingNumber', s.trackingNumber)}
      {field('trackingUrl', s.trackingUrl)}
      <p className="hint">{s.mailed}</p>
    </Form>
  )
}

/** Renders a `<button>` that marks line items of an order as shipped. */
export const ShipDialog = ({ order }: { order: Order }) => {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{s.open}</Button>
      <Dialog title={s.title} isOpen={isOpen} onClose={close}>
        <ShipForm order={order} onDone={close} />
      </Dialog>
    </>
  )
}
