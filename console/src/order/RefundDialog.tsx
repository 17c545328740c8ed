import { useMutation } from '@tanstack/react-query'
import { createRefund } from 'kassa/api'
import type { CreateRefundBody, Order } from 'kassa/schema'
import { useEffect, useId, useRef, useState } from 'react'
import { client, useOnce } from '../api/console.js'
import { useRefresh } from '../api/order.js'
import { Button } from '../components/Button.js'
import { Dialog } from '../components/Dialog.js'
import { Field, TextArea } from '../components/Field.js'
import { Form } from '../components/FormDialog.js'
import { Problem } from '../components/Labelled.js'
import { useToast } from '../components/Toast.js'
import { describeError } from '../lib/describeError.js'
import { formatChain, formatMoney } from '../lib/format.js'
import { isMore } from '../lib/isMore.js'
import { readPayment } from '../lib/orderStatus.js'
import { readFields } from '../lib/readFields.js'
import { t } from '../messages/index.js'

const s = t.refund

type Kind = 'all' | 'some' | 'amount'
type Choice = { kind: Kind; items: number[]; amount: string; reason: string }

const nothing: Choice = { kind: 'all', items: [], amount: '', reason: '' }

type Money = { amount: string; currency: string }

/** Returns what is left to refund, in the currency that was paid. */
const readRefundable = (order: Order): Money => {
  const payment = readPayment(order)
  const currency = payment.received?.currency ?? payment.currency ?? ''
  return { amount: payment.balances?.refundable ?? '0', currency }
}

const toBody = ({ kind, items, reason }: Choice, { amount }: Money): CreateRefundBody => ({
  // The amount that was confirmed, so that no more goes back if more becomes refundable meanwhile.
  ...(kind === 'some' ? { lineItems: items.map((index) => ({ index })) } : { amount }),
  ...(reason.trim() && { reason: reason.trim() }),
})

/** Returns how much is to be refunded; with line items, the most that it can be. */
const readMoney = ({ kind, items, amount }: Choice, refundable: Money): Money =>
  readFields((read) => {
    if (kind === 'some' && !items.length) read.refuse('items', s.needsItems)
    if (kind !== 'amount') return refundable
    const written = read.amount('amount', amount, {
      isPossible: (text) => /[1-9]/.test(text) && !isMore(text, refundable.amount),
      problem: s.possible(formatMoney(refundable)),
    })
    return { ...refundable, amount: written }
  })

type ItemsProps = { order: Order; chosen: number[]; onChange(items: number[]): void }

const Items = ({ order, chosen, onChange }: ItemsProps) => (
  <div className="choices nested" data-name="items">
    {order.lineItems.map((item, index) => {
      const isDelivered = item.delivery.status === 'completed'
      const price = item.quote.totalPrice
      return (
        <label className="choice" key={index}>
          <input
            type="checkbox"
            checked={chosen.includes(index)}
            disabled={!isDelivered}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, index] : chosen.filter((each) => each !== index))
            }
          />
          <span>
            {item.metadata?.name ?? index + 1}{' '}
            <span className="soft">{isDelivered ? price && formatMoney(price) : `(${s.notDelivered})`}</span>
          </span>
        </label>
      )
    })}
    <Problem name="items" />
  </div>
)

type FormProps = {
  order: Order
  choice: Choice
  onChange(choice: Choice): void
  onNext(money: Money): void
  onCancel(): void
}

const ChoiceForm = ({ order, choice, onChange, onNext, onCancel }: FormProps) => {
  const id = useId()
  const refundable = readRefundable(order)
  const set = (part: Partial<Choice>) => onChange({ ...choice, ...part })
  const radio = (kind: Kind, label: string) => (
    <label className="choice">
      <input type="radio" name={`${id}-kind`} checked={choice.kind === kind} onChange={() => set({ kind })} />
      {label}
    </label>
  )
  return (
    <Form action={s.next} run={async () => onNext(readMoney(choice, refundable))} onCancel={onCancel}>
      <fieldset className="choices">
        <legend className="label">{s.what}</legend>
        {radio('all', s.all(formatMoney(refundable)))}
        {radio('some', s.some)}
        {choice.kind === 'some' && (
          <Items order={order} chosen={choice.items} onChange={(items) => set({ items })} />
        )}
        {radio('amount', s.amount)}
        {choice.kind === 'amount' && (
          <div className="nested">
            <Field
              label={s.amountOf(refundable.currency.toUpperCase())}
              hint={s.atMost(formatMoney(refundable))}
              inputMode="decimal"
              name="amount"
              value={choice.amount}
              onValue={(amount) => set({ amount })}
            />
          </div>
        )}
      </fieldset>
      <TextArea
        label={s.reason}
        name="reason"
        hint={s.reasonText}
        maxLength={500}
        value={choice.reason}
        onValue={(reason) => set({ reason })}
      />
    </Form>
  )
}

/** Names the chosen line items with their prices. */
const nameItems = ({ lineItems }: Order, chosen: number[]): string =>
  [...chosen]
    .sort((a, b) => a - b)
    .map((index) => {
      const { metadata, quantity = 1, quote } = lineItems[index] ?? {}
      const name = `${metadata?.name ?? index + 1} ${t.order.quantity(quantity)}`
      return quote?.totalPrice ? `${name} (${formatMoney(quote.totalPrice)})` : name
    })
    .join(', ')

type CheckProps = {
  order: Order
  choice: Choice
  /** What was confirmed: it stays, or the amount would change under the reader's finger. */
  money: Money
  once: ReturnType<typeof useOnce>
  onBack(): void
  onDone(): void
}

/** Says what the refund does, and makes it. */
const Check = ({ order, choice, money, once, onBack, onDone }: CheckProps) => {
  const say = useToast()
  const refresh = useRefresh(order.orderId)
  const summary = useRef<HTMLUListElement>(null)
  // The button that led here is gone. The focus goes to the text, so that a second Enter refunds nothing.
  useEffect(() => summary.current?.focus(), [])
  const chain = formatChain(order.payment.received?.chain ?? order.payment.method ?? '')
  const isItems = choice.kind === 'some'
  const refund = useMutation({
    mutationFn: () => {
      const body = toBody(choice, money)
      return once(body, (idempotencyKey) =>
        createRefund(client, { orderId: order.orderId, body, idempotencyKey }),
      )
    },
    onSuccess: async (made) => {
      say(s.done(formatMoney(made)))
      onDone()
      await refresh()
    },
  })
  const what = isItems
    ? s.goesBackItems(nameItems(order, choice.items), chain)
    : s.goesBack(formatMoney(money), chain)
  const action = isItems ? s.confirmItems(choice.items.length) : s.confirm(formatMoney(money))
  return (
    <>
      <ul ref={summary} className="bullets" tabIndex={-1}>
        <li>{what}</li>
        <li>{s.stays}</li>
        <li>{s.mailed}</li>
        <li>{s.final}</li>
      </ul>
      {refund.error && (
        <p className="problem" role="alert">
          {describeError(refund.error)}
        </p>
      )}
      <div className="actions">
        <Button onClick={onBack}>{t.back}</Button>
        <Button kind="danger" isBusy={refund.isPending} onClick={() => refund.mutate()}>
          {action}
        </Button>
      </div>
    </>
  )
}

/** Renders a `<button>` that refunds an order, in two steps: what to refund, and what that does. */
export const RefundDialog = ({ order }: { order: Order }) => {
  const [isOpen, setOpen] = useState(false)
  const [money, setMoney] = useState<Money>()
  const [choice, setChoice] = useState(nothing)
  // Outlives the steps, so that a refund whose answer was lost happens once, wherever the reader goes on.
  const once = useOnce()
  const open = () => {
    setChoice(nothing)
    setMoney(undefined)
    setOpen(true)
  }
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={open}>{s.open}</Button>
      <Dialog title={money ? s.check : s.title} isOpen={isOpen} onClose={close}>
        {money ? (
          <Check {...{ order, choice, money, once }} onBack={() => setMoney(undefined)} onDone={close} />
        ) : (
          <ChoiceForm order={order} choice={choice} onChange={setChoice} onNext={setMoney} onCancel={close} />
        )}
      </Dialog>
    </>
  )
}
