import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { getSummary, listOrders } from 'kassa/api'
import type { OrderSummary } from 'kassa/schema'
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

const Sales = ({ sales }: Pick<OrderSummary, 'sales'>) =>
  sales.length ? (
    <div className="figures-row figures">
      {sales.map((sale) => (
        <div className="figure" key={`${sale.chain}${sale.currency}`}>
          <span>{formatChain(sale.chain)}</span>
          <strong>{formatMoney(sale)}</strong>
          <span>{s.salesOrders(sale.orders)}</span>
        </div>
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

const Attention = ({ attention }: Pick<OrderSummary, 'attention'>) => {
  const mayReadWebhooks = useMay('webhooks.read')
  const { captures, refunds, webhooks } = attention
  if (!captures.length && !refunds.length && !webhooks.length) return <p className="quiet">{s.nothing}</p>
  return (
    <ul className="rows">
      {captures.map(({ orderId, captureBefore }) => (
        <li key={orderId}>
          <div>
            <p className="strong">{s.capture}</p>
            <p className="soft">{s.captureText(formatTime(captureBefore))}</p>
          </div>
          <Link to="/orders/$orderId" params={{ orderId }}>
            {t.order.title(shorten(orderId))}
          </Link>
        </li>
      ))}
      {refunds.map(({ orderId, status, reason }, index) => (
        <li key={index}>
          <div>
            <p className="strong">{wordFor(s.refund, status)}</p>
            {reason && <p className="soft">{reason}</p>}
          </div>
          <Link to="/orders/$orderId" params={{ orderId }}>
            {t.order.title(shorten(orderId))}
          </Link>
        </li>
      ))}
      {webhooks.map(({ endpointId, failed, url }) => (
        <li key={endpointId}>
          <div>
            <p className="strong">{s.webhook}</p>
            <p className="soft">{s.webhookText(failed, url)}</p>
          </div>
          {mayReadWebhooks && (
            <Link to="/developers/webhooks/$endpointId" params={{ endpointId }}>
              {s.webhookLink}
            </Link>
          )}
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
        <Card title={s.sales}>
          <Loaded query={summary}>{({ sales }) => <Sales sales={sales} />}</Loaded>
        </Card>
        <Card title={s.phases}>
          <Loaded query={summary}>
            {({ orders }) => <Phases orders={orders} today={writeDay(today)} />}
          </Loaded>
        </Card>
        <Card title={s.attention}>
          <Loaded query={summary}>{({ attention }) => <Attention attention={attention} />}</Loaded>
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
