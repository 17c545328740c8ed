import { isPending, useOrder, usePayOrder } from 'kassa'

export function ByHooks(props: { orderId: string; clientSecret: string }) {
  const order = useOrder(props)
  const { step, pay } = usePayOrder(props)
  if (!order.data) return <p role="status">{order.error?.message ?? 'Loading…'}</p>
  if (order.data.phase === 'completed') return <p>Delivered.</p>
  const total = order.data.quote.totalPrice
  // The wallet was asked and never answered: paying again is the buyer's own choice.
  const isAgain = step.status === 'uncertain'
  return (
    <>
      <p>
        {total?.amount} {total?.currency}
      </p>
      <button type="button" aria-disabled={isPending(step)} onClick={() => pay({ total, isAgain })}>
        {isPending(step) ? 'Paying…' : isAgain ? 'My wallet shows no payment: pay again' : 'Pay'}
      </button>
      {'error' in step && <p role="alert">{step.error.message}</p>}
    </>
  )
}
