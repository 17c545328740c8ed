import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { OrderSession } from 'kassa'
import { type FormEvent, useId, useState } from 'react'
import { type OpenedLink, orderByLink, PayError } from './link.js'
import { locale, type Messages } from './messages/index.js'
import { Shown } from './Shown.js'

/** Returns the sentence of a refusal: in the buyer's language where the page has one, else the service's own. */
const describe = (error: Error, messages: Messages): string => {
  if (!(error instanceof PayError)) return messages.failed
  if (error.status === 429) return messages.tooMany
  return error.status === 409 ? messages.busy : error.message
}

type StartProps = {
  link: OpenedLink
  messages: Messages
  onOrder(session: OrderSession): void
}

/** Shows what a link sells, asks how many where the buyer may choose, and creates the order. */
export const Start = ({ link, messages, onOrder }: StartProps) => {
  const id = useId()
  const [quantity, setQuantity] = useState(link.lineItems[0]?.quantity ?? 1)
  const { maxQuantity } = link
  const queries = useQueryClient()
  const order = useMutation({
    mutationFn: () => orderByLink({ locale, ...(maxQuantity !== undefined && { quantity }) }),
    onSuccess: onOrder,
    // The link may have ended since the page was opened.
    onError: (error) =>
      error instanceof PayError && error.status === 409
        ? queries.invalidateQueries({ queryKey: ['link'] })
        : undefined,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!order.isPending) order.mutate()
  }
  return (
    <form className="card" onSubmit={submit}>
      <Shown link={link} messages={messages} />
      {maxQuantity !== undefined && (
        <p className="field">
          <label htmlFor={id}>{messages.quantity}</label>
          <select id={id} value={quantity} onChange={({ target }) => setQuantity(Number(target.value))}>
            {Array.from({ length: maxQuantity }, (_, at) => at + 1).map((count) => (
              <option key={count}>{count}</option>
            ))}
          </select>
        </p>
      )}
      <button type="submit" className="button" aria-disabled={order.isPending}>
        {order.isPending ? messages.opening : messages.buy}
      </button>
      <p role="alert" className="alert">
        {order.error && describe(order.error, messages)}
      </p>
    </form>
  )
}
