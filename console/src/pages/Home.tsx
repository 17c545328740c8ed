import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getSummary, listOrders } from 'kassa/api'
import type { OrderSummary } from 'kassa/schema'
import type { ReactNode } from 'react'
import { client } from '../api/console.js'
import { useMay } from '../api/session.js'
import { Card } from '../components/Card.js'
import { Loaded } from '../components/Loaded.js'
import { Page } from '../components/Page.js'
import { formatChain, formatMoney, formatTime, shorten, wordFor } from '../lib/format.js'
import { t } from '../messages/index.js'
import { Allowed } from '../shell/Allowed.js'
import { OrderTable } from './Orders.js'

const s = t.home
const phases = ['quote', 'payment', 'delivery', 'completed'] as const

const readToday = (): Date => {
  const now = new Date()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate())
}

/** Writes a day as the address of the list has it. */
const writeDay = (day: Date): string =>
  [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')

const summaryQuery = (since: string) =>
  queryOptions({
    queryKey: ['summary', since],
    queryFn: ({ signal }) => getSummary(client, { since, signal }),
    refetchInterval: 30_000,
  })

const latestQuery = queryOptions({
  queryKey: ['orders', 'latest'],
  queryFn: ({ signal }) => listOrders(client, { limit: 5, signal }),
  refetchInterval: 30_000,
})

type Sale = OrderSummary['sales'][number]

/** What a sale is made of. Net alone is the shop's: what was refunded is no longer sold. */
const Sum = ({ sale: { currency, amount, refunded = '0', net = amount, ...sale } }: { sale: Sale }) => (
  <div className="figure">
    <span>
      {formatChain(sale.chain)} · {s.net}
    </span>
    <strong>{formatMoney({ amount: net, currency })}</strong>
    <span>{s.salesOrders(sale.orders)}</span>
    <dl className="sums">
      <div>
        <dt>{s.gross}</dt>
        <dd>{formatMoney({ amount, currency })}</dd>
      </div>
      <div>
        <dt>{s.refunded}</dt>
        <dd>{formatMoney({ amount: refunded, currency })}</dd>
      </div>
    </dl>
  </div>
)

const Sales = ({ sales }: Pick<OrderSummary, 'sales'>) =>
  sales.length ? (
    <div className="figures-row figures">
      {sales.map((sale) => (
        <Sum key={`${sale.chain}${sale.currency}`} sale={sale} />
      ))}
    </div>
  ) : (
    <p className="quiet">{s.noSales}</p>
  )

const Phases = ({ orders, today }: Pick<OrderSummary, 'orders'> & { today: string }) => (
  <div className="figures-row figures">
    {phases.map((phase) => (
      <Link key={phase} to="/orders" search={{ phase, from: today }} className="figure">
        <span>{t.phases[phase]}</span>
        <strong>{orders[phase]}</strong>
      </Link>
    ))}
  </div>
)

type Need = { key: string; title: string; text?: string | undefined; link: ReactNode }

const OrderLink = ({ orderId }: { orderId: string }) => (
  <Link to="/orders/$orderId" params={{ orderId }}>
    {t.order.title(shorten(orderId))}
  </Link>
)

const EndpointLink = ({ endpointId }: { endpointId: string }) =>
  useMay('webhooks.read') && (
    <Link to="/developers/webhooks/$endpointId" params={{ endpointId }}>
      {s.webhookLink}
    </Link>
  )

/** Lists what needs a person, of all seven kinds: what costs money if it waits comes first. */
const listNeeds = ({ captures, refunds, webhooks, ...more }: OrderSummary['attention']): Need[] => {
  const { deliveries = [], parcels = [], failingWebhooks = [], mails = [] } = more
  const of = (kind: string, orderId: string, index: number) => ({
    key: `${kind}-${orderId}-${index}`,
    link: <OrderLink orderId={orderId} />,
  })
  return [
    ...captures.map(({ orderId, captureBefore }, index) => ({
      ...of('capture', orderId, index),
      title: s.capture,
      text: s.captureText(formatTime(captureBefore)),
    })),
    ...refunds.map(({ orderId, status, reason }, index) => ({
      ...of('refund', orderId, index),
      title: wordFor(s.refund, status),
      text: reason,
    })),
    ...deliveries.map(({ orderId, attempts }, index) => ({
      ...of('delivery', orderId, index),
      title: s.delivery,
      text: s.deliveryText(attempts),
    })),
    ...parcels.map(({ orderId, lineItems }, index) => ({
      ...of('parcel', orderId, index),
      title: s.parcel,
      text: s.parcelText(lineItems),
    })),
    ...webhooks.map(({ endpointId, failed, url }) => ({
      key: `webhook-${endpointId}`,
      title: s.webhook,
      text: s.webhookText(failed, url),
      link: <EndpointLink endpointId={endpointId} />,
    })),
    ...failingWebhooks.map(({ endpointId, waiting, url }) => ({
      key: `failing-${endpointId}`,
      title: s.failingWebhook,
      text: s.failingWebhookText(waiting, url),
      link: <EndpointLink endpointId={endpointId} />,
    })),
    ...mails.map(({ orderId, kind, recipient }, index) => ({
      key: `mail-${index}`,
      title: s.mail,
      text: `${wordFor(t.timeline.mails, kind)} ${t.timeline.to(recipient)}`,
      link: orderId && <OrderLink orderId={orderId} />,
    })),
  ]
}

const Attention = ({ attention }: Pick<OrderSummary, 'attention'>) => {
  const needs = listNeeds(attention)
  if (!needs.length) return <p className="quiet">{s.nothing}</p>
  return (
    <ul className="rows">
      {needs.map(({ key, title, text, link }) => (
        <li key={key}>
          <div>
            <p className="strong">{title}</p>
            {text && <p className="soft">{text}</p>}
          </div>
          {link}
        </li>
      ))}
    </ul>
  )
}

/** The day of the shop: its sales, its orders, and what needs a person. */
export const Home = () => {
  const today = readToday()
  const summary = useQuery(summaryQuery(today.toISOString()))
  const latest = useQuery(latestQuery)
  return (
    <Allowed scope="orders.read">
      <Page title={s.title}>
        <Card title={s.attention}>
          <Loaded query={summary}>{({ attention }) => <Attention attention={attention} />}</Loaded>
        </Card>
        <Card title={s.sales}>
          <Loaded query={summary}>{({ sales }) => <Sales sales={sales} />}</Loaded>
        </Card>
        <Card title={s.phases}>
          <Loaded query={summary}>
            {({ orders }) => <Phases orders={orders} today={writeDay(today)} />}
          </Loaded>
        </Card>
        <Card title={s.recent} actions={<Link to="/orders">{s.all}</Link>}>
          <Loaded query={latest}>
            {({ data }) =>
              data.length ? (
                <OrderTable orders={data} caption={s.recent} />
              ) : (
                <p className="quiet">{t.orders.emptyText}</p>
              )
            }
          </Loaded>
        </Card>
      </Page>
    </Allowed>
  )
}
