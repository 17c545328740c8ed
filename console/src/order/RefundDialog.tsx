import { useMutation } from '@tanstack/react-query'
import { createRefund } from 'kassa/api'
import type { CreateRefundBody, Order } from 'kassa/schema'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { client, createIdempotencyKey } from '../api/console.js'
import { useRefresh } from '../api/order.js'
import { Button } from '../components/Button.js'
import { Dialog } from '../components/Dialog.js'
import { Field, TextArea } from '../components/Field.js'
import { useToast } from '../components/Toast.js'
import { describeError } from '../lib/describeError.js'
import { formatChain, formatMoney } from '../lib/format.js'
import { isMore } from '../lib/isMore.js'
import { readPayment } from '../lib/orderStatus.js'
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

const toBody = ({ kind, items, amount, reason }: Choice, refundable: Money): CreateRefundBody => ({
  // The amount that was confirmed, so that no more goes back if more becomes refundable meanwhile.
  ...(kind === 'all' && { amount: refundable.amount }),
  ...(kind === 'some' && { lineItems: items.map((index) => ({ index })) }),
  ...(kind === 'amount' && { amount: amount.trim() }),
  ...(reason.trim() && { reason: reason.trim() }),
})

/** Returns what is wrong with a choice, in a sentence. */
const findProblem = ({ kind, items, amount }: Choice, refundable: Money): string | undefined => {
  if (kind === 'some') return items.length ? undefined : s.needsItems
  if (kind === 'all') return undefined
  const written = amount.trim()
  if (!/^\d{1,40}(\.\d{1,40})?$/.test(written) || !/[1-9]/.test(written)) return s.needsAmount
  return isMore(written, refundable.amount) ? s.tooMuch(formatMoney(refundable)) : undefined
}

type ItemsProps = { order: Order; chosen: number[]; onChange(items: number[]): void }

const Items = ({ order, chosen, onChange }: ItemsProps) => (
  <div className="choices nested">
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
  </div>
)

type FormProps = {
  order: Order
  choice: Choice
  onChange(choice: Choice): void
  onNext(): void
  onCancel(): void
}

const ChoiceForm = ({ order, choice, onChange, onNext, onCancel }: FormProps) => {
  const id = useId()
  const [problem, setProblem] = useState('')
  const refundable = readRefundable(order)
  const set = (part: Partial<Choice>) => {
    setProblem('')
    onChange({ ...choice, ...part })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = findProblem(choice, refundable)
    if (found) setProblem(found)
    else onNext()
  }
  const radio = (kind: Kind, label: string) => (
    <label className="choice">
      <input type="radio" name={`${id}-kind`} checked={choice.kind === kind} onChange={() => set({ kind })} />
      {label}
    </label>
  )
  return (
    <form noValidate onSubmit={submit}>
      <fieldset className="choices" aria-describedby={`${id}-problem`}>
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
              value={choice.amount}
              aria-invalid={problem ? true : undefined}
              aria-describedby={`${id}-problem`}
              onValue={(amount) => set({ amount })}
            />
          </div>
        )}
      </fieldset>
      <TextArea
        label={s.reason}
        hint={s.reasonText}
        maxLength={500}
        value={choice.reason}
        onValue={(reason) => set({ reason })}
      />
      <p id={`${id}-problem`} className="problem" role="alert">
        {problem}
      </p>
      <div className="actions">
        <Button onClick={onCancel}>{t.cancel}</Button>
        <Button type="submit" kind="primary">
          {s.next}
        </Button>
      </div>
    </form>
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

type CheckProps = { order: Order; choice: Choice; onBack(): void; onDone(): void }

/** Says what the refund does, and makes it. */
const Check = ({ order, choice, onBack, onDone }: CheckProps) => {
  const say = useToast()
  const refresh = useRefresh(order.orderId)
  const summary = useRef<HTMLUListElement>(null)
  // The button that led here is gone. The focus goes to the text, so that a second Enter refunds nothing.
  useEffect(() => summary.current?.focus(), [])
  // One for everything that is confirmed here, so that a second attempt does not refund twice.
  const idempotencyKey = useRef(createIdempotencyKey())
  const refundable = readRefundable(order)
  // What was read while the reader looks stays, or the amount would change under their finger.
  const [money] = useState(
    choice.kind === 'amount' ? { ...refundable, amount: choice.amount.trim() } : refundable,
  )
  const chain = formatChain(order.payment.received?.chain ?? order.payment.method ?? '')
  const isItems = choice.kind === 'some'
  const refund = useMutation({
    mutationFn: () =>
      createRefund(client, {
        orderId: order.orderId,
        body: toBody(choice, money),
        idempotencyKey: idempotencyKey.current,
      }),
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
  const [isChosen, setChosen] = useState(false)
  const [choice, setChoice] = useState(nothing)
  const open = () => {
    setChoice(nothing)
    setChosen(false)
    setOpen(true)
  }
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={open}>{s.open}</Button>
      <Dialog title={isChosen ? s.check : s.title} isOpen={isOpen} onClose={close}>
        {isChosen ? (
          <Check order={order} choice={choice} onBack={() => setChosen(false)} onDone={close} />
        ) : (
          <ChoiceForm
            order={order}
            choice={choice}
            onChange={setChoice}
            onNext={() => setChosen(true)}
            onCancel={close}
          />
        )}
      </Dialog>
    </>
  )
}
