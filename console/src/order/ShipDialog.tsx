import { useMutation } from '@tanstack/react-query'
import { createShipment } from 'kassa/api'
import type { CreateShipmentBody, Order } from 'kassa/schema'
import { type FormEvent, useId, useRef, useState } from 'react'
import { client, createIdempotencyKey } from '../api/console.js'
import { useRefresh } from '../api/order.js'
import { Button } from '../components/Button.js'
import { Dialog } from '../components/Dialog.js'
import { Field } from '../components/Field.js'
import { useToast } from '../components/Toast.js'
import { describeError } from '../lib/describeError.js'
import { isHttps, listUnshipped, nameItem } from '../lib/shipments.js'
import { t } from '../messages/index.js'

const s = t.ship

type Parcel = { items: number[]; carrier: string; trackingNumber: string; trackingUrl: string }

/** Returns what is wrong with a parcel, in a sentence. */
const findProblem = ({ items, carrier, trackingUrl }: Parcel): string | undefined => {
  if (!items.length) return s.needsItems
  if (!carrier.trim()) return s.needsCarrier
  return trackingUrl.trim() && !isHttps(trackingUrl.trim()) ? s.needsHttps : undefined
}

const toBody = ({ items, carrier, trackingNumber, trackingUrl }: Parcel): CreateShipmentBody => ({
  carrier: carrier.trim(),
  lineItems: items.map((index) => ({ index })),
  ...(trackingNumber.trim() && { trackingNumber: trackingNumber.trim() }),
  ...(trackingUrl.trim() && { trackingUrl: trackingUrl.trim() }),
})

type FormProps = { order: Order; onDone(): void }

const ShipForm = ({ order, onDone }: FormProps) => {
  const id = useId()
  const say = useToast()
  const refresh = useRefresh(order.orderId)
  const [problem, setProblem] = useState('')
  // What can be shipped stays as it was when the form opened, whatever is read meanwhile.
  const [due] = useState(() => listUnshipped(order))
  const [parcel, setParcel] = useState<Parcel>({
    ...{ items: due, carrier: '', trackingNumber: '', trackingUrl: '' },
  })
  // Another parcel is another request, and the same one that is sent again is not.
  const attempt = useRef({ sent: '', idempotencyKey: '' })
  const ship = useMutation({
    mutationFn: () => {
      const body = toBody(parcel)
      const sent = JSON.stringify(body)
      if (attempt.current.sent !== sent) attempt.current = { sent, idempotencyKey: createIdempotencyKey() }
      const { idempotencyKey } = attempt.current
      return createShipment(client, { orderId: order.orderId, body, idempotencyKey })
    },
    onSuccess: async () => {
      say(s.done)
      onDone()
      await refresh()
    },
  })
  const set = (part: Partial<Parcel>) => {
    setProblem('')
    ship.reset()
    setParcel({ ...parcel, ...part })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = findProblem(parcel)
    if (found) setProblem(found)
    else ship.mutate()
  }
  const field = (name: 'carrier' | 'trackingNumber' | 'trackingUrl', label: string) => (
    <Field
      label={label}
      spellCheck={false}
      inputMode={name === 'trackingUrl' ? 'url' : 'text'}
      maxLength={name === 'trackingUrl' ? 2048 : 100}
      value={parcel[name]}
      aria-describedby={`${id}-problem`}
      onValue={(value) => set({ [name]: value })}
    />
  )
  return (
    <form noValidate onSubmit={submit}>
      <fieldset className="choices" aria-describedby={`${id}-problem`}>
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
      </fieldset>
      {field('carrier', s.carrier)}
      {field('trackingNumber', s.trackingNumber)}
      {field('trackingUrl', s.trackingUrl)}
      <p className="hint">{s.mailed}</p>
      <p id={`${id}-problem`} className="problem" role="alert">
        {problem || (ship.error ? describeError(ship.error) : '')}
      </p>
      <div className="actions">
        <Button onClick={onDone}>{t.cancel}</Button>
        <Button type="submit" kind="primary" isBusy={ship.isPending}>
          {s.confirm(parcel.items.length)}
        </Button>
      </div>
    </form>
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
