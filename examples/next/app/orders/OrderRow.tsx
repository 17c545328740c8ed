import type { ReactNode } from 'react'
import { Moment } from '../../components/shop/Moment'
import { formatMoney } from '../../lib/money'
import type { ShopOrder } from '../../lib/store/ShopOrder'
import { getOrderState, type OrderState } from './getOrderState'
import styles from './OrderList.module.css'

const words: Record<OrderState, string> = {
  shipped: 'Delivered',
  'partly-shipped': 'Partly delivered',
  'not-delivered': 'Not delivered',
  'on-its-way': 'On its way',
  'not-paid': 'Not paid',
}

/** An order that was delivered in part, or not at all, never ships. */
const neverShipped: Partial<Record<OrderState, string>> = {
  'partly-shipped': 'In part',
  'not-delivered': 'No',
}

const nameItem = ({ name, quantity }: ShopOrder['items'][number]): string =>
  quantity === 1 ? name : `${name} × ${quantity}`

const showMoment = (atMs: number | undefined, otherwise = 'Not yet'): ReactNode =>
  atMs === undefined ? otherwise : <Moment at={new Date(atMs)} />

const getRemark = ({ items, refunded, events }: ShopOrder): string => {
  const name = (status: string) => items.filter(({ delivery }) => delivery === status).map(nameItem)
  const [failed, notSold] = [name('failed'), name('not-sold')]
  const isRefused = events.some(({ type }) => type === 'orders.payment.failed')
  const reasons = [
    failed.length > 0 && `Could not be delivered: ${failed.join(', ')}.`,
    notSold.length > 0 && `Not available, and not charged: ${notSold.join(', ')}.`,
    isRefused && 'A payment came that does not pay for it.',
    refunded &&
      `${formatMoney(refunded.amount, refunded.currency, 'en-US')} of what was paid went back to the payer.`,
    !refunded && isRefused && 'The money goes back to the payer.',
    !refunded && !isRefused && failed.length > 0 && 'What was paid for it goes back to the payer.',
  ]
  return reasons.filter(Boolean).join(' ')
}

/** Shows one order: its items, its state and its times. */
export function OrderRow({ order }: { order: ShopOrder }) {
  const { orderId, items, total, placedAtMs, paidAtMs, shippedAtMs } = order
  const state = getOrderState(order)
  const remark = getRemark(order)
  const facts = [
    ['Total', total ? formatMoney(total.amount, total.currency, 'en-US') : 'Not priced'],
    ['Placed', showMoment(placedAtMs)],
    ['Paid', showMoment(paidAtMs)],
    ['Delivered', showMoment(shippedAtMs, neverShipped[state])],
  ] as const
  return (
    <article className={styles.order} aria-labelledby={orderId}>
      <h2 className={styles.name} id={orderId}>
        {items.map(nameItem).join(', ')}
      </h2>
      <p className={styles.state} data-state={state}>
        {words[state]}
      </p>
      <p className={styles.id}>{orderId}</p>
      <dl className={styles.facts}>
        {facts.map(([term, fact]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      {remark && <p className={styles.remark}>{remark}</p>}
    </article>
  )
}
