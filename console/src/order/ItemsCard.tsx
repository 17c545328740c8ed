import type { LineItem, Order } from 'kassa/schema'
import { Badge } from '../components/Badge.js'
import { Card } from '../components/Card.js'
import { Picture } from '../components/Picture.js'
import { Reference } from '../components/Reference.js'
import { formatChain, formatFiat, formatMoney, wordFor } from '../lib/format.js'
import type { Tone } from '../lib/orderStatus.js'
import { isUncaptured, listUnshipped } from '../lib/shipments.js'
import { t } from '../messages/index.js'

const s = t.order

const tones: Readonly<Record<string, Tone>> = { completed: 'good', failed: 'bad', 'in-progress': 'info' }

type ItemProps = { item: LineItem; isWaiting: boolean; isUnshipped: boolean }

const Delivery = ({ item, isWaiting, isUnshipped }: ItemProps) => {
  const { status } = item.delivery
  if (isWaiting) return <Badge tone="warn">{t.statuses.capture}</Badge>
  if (isUnshipped && status === 'completed') return <Badge tone="warn">{t.statuses.toShip}</Badge>
  return <Badge tone={tones[status] ?? 'neutral'}>{wordFor(s.deliveries, status)}</Badge>
}

const Item = ({ item, ...states }: ItemProps) => {
  const { metadata, quantity = 1, quote, delivery, chain } = item
  const token = delivery.tokens?.[0]
  const tokenId = token?.tokenId ? `#${token.tokenId}` : undefined
  const more =
    (delivery.tokens?.length ?? 0) > 1 ? ` ${t.orders.more((delivery.tokens?.length ?? 1) - 1)}` : ''
  return (
    <li>
      <div className="item">
        <Picture url={metadata?.imageUrl} />
        <div>
          <span className="strong">
            {metadata?.name ?? t.none} <span className="soft">{s.quantity(quantity)}</span>
          </span>
          <span className="soft">
            {[chain && formatChain(chain), tokenId && `${s.token} ${tokenId}${more}`]
              .filter(Boolean)
              .join(' · ')}
          </span>
          {delivery.txId && (
            <Reference value={delivery.txId} what={s.transaction} chain={chain} isTransaction />
          )}
          {quote.unavailabilityReason?.message && (
            <span className="problem">{quote.unavailabilityReason.message}</span>
          )}
        </div>
      </div>
      <div className="item-end">
        {quote.charges?.unit && <span className="figures">{formatMoney(quote.charges.unit)}</span>}
        <Delivery item={item} {...states} />
      </div>
    </li>
  )
}

type Charge = 'salesTax' | 'shipping' | 'discount'

/** Lists the charges of the line items other than 0, as each of them stands. */
const listCharges = ({ lineItems }: Order, charge: Charge) =>
  lineItems.flatMap(({ quote }) => {
    const price = quote.charges?.[charge]
    return price && /[1-9]/.test(price.amount) ? [price] : []
  })

const words: Record<Charge, string> = { discount: s.discount, shipping: s.shipping, salesTax: s.tax }

const Sum = ({ order }: { order: Order }) => {
  const total = order.quote.totalPrice
  if (!total) return null
  const charges = (['discount', 'shipping', 'salesTax'] as const).flatMap((charge) =>
    listCharges(order, charge).map((price, index) => ({ key: `${charge}${index}`, charge, price })),
  )
  return (
    <dl className="sum figures">
      {charges.map(({ key, charge, price }) => (
        <div key={key}>
          <dt>{words[charge]}</dt>
          <dd>
            {charge === 'discount' && '−'}
            {formatMoney(price)}
          </dd>
        </div>
      ))}
      <div>
        <dt>{s.total}</dt>
        <dd>
          {formatMoney(total)}
          {total.fiat && <small>{s.about(formatFiat(total.fiat.amount))}</small>}
        </dd>
      </div>
    </dl>
  )
}

/** The line items of an order, how each is delivered, and what they cost. */
export const ItemsCard = ({ order }: { order: Order }) => {
  const unshipped = listUnshipped(order)
  return (
    <Card title={s.items}>
      <ul className="rows">
        {order.lineItems.map((item, index) => (
          <Item
            key={index}
            item={item}
            isWaiting={isUncaptured(order)}
            isUnshipped={unshipped.includes(index)}
          />
        ))}
      </ul>
      <Sum order={order} />
    </Card>
  )
}
