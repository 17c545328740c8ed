import type { Order, PayStep } from 'kassa'

const onItsWay: readonly PayStep['status'][] = ['broadcast', 'confirming', 'paid']

/** Whether the service has seen the payment. */
const isPaid = ({ phase, payment }: Order): boolean =>
  phase === 'delivery' || payment.status === 'in-progress' || payment.status === 'completed'

/** Returns the screen for an order and its payment. */
export const getView = (order: Order, step: PayStep): 'pay' | 'progress' | 'receipt' => {
  if (order.phase === 'completed') return 'receipt'
  return isPaid(order) || onItsWay.includes(step.status) ? 'progress' : 'pay'
}
