import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { WebhookDelivery } from 'kassa/schema'
import { useState } from 'react'
import { deliveriesQuery, perPage } from '../api/developers.js'
import { Badge } from '../components/Badge.js'
import { Card } from '../components/Card.js'
import { type Column, DataTable } from '../components/DataTable.js'
import { Loaded } from '../components/Loaded.js'
import { Pager } from '../components/Pager.js'
import { formatTime, wordFor } from '../lib/format.js'
import type { Tone } from '../lib/orderStatus.js'
import { t } from '../messages/index.js'

const s = t.webhooks
const tones: Readonly<Record<string, Tone>> = { succeeded: 'good', failed: 'bad', pending: 'info' }

/** Renders where the delivery of an event stands. */
export const DeliveryStatus = ({ delivery: { status } }: { delivery: WebhookDelivery }) => (
  <Badge tone={tones[status] ?? 'neutral'}>{wordFor(s.deliveryStatuses, status)}</Badge>
)

const Answer = ({ delivery }: { delivery: WebhookDelivery }) => (
  <>
    {s.attempts(delivery.attemptCount)}
    {delivery.failure && <div className="soft">{delivery.failure}</div>}
  </>
)

const columns: Column<WebhookDelivery>[] = [
  {
    id: 'event',
    header: s.event,
    cell: ({ row: { original } }) => (
      <>
        <Link
          to="/developers/webhooks/$endpointId/events/$eventId"
          params={{ endpointId: original.endpointId, eventId: original.eventId }}
          className="row-link"
        >
          {original.type}
        </Link>
        <span className="narrow soft">{formatTime(original.createdAt)}</span>
        <span className="narrow">
          <Answer delivery={original} />
        </span>
      </>
    ),
  },
  { id: 'attempts', header: s.attemptsTitle, cell: ({ row }) => <Answer delivery={row.original} /> },
  { id: 'at', header: s.at, cell: ({ row }) => formatTime(row.original.createdAt) },
  { id: 'status', header: s.status, cell: ({ row }) => <DeliveryStatus delivery={row.original} /> },
]

const classes = { attempts: 'wide', at: 'wide tight soft', status: 'end tight' }

/** What was sent to a webhook endpoint, newest first. */
export const DeliveriesCard = ({ endpointId }: { endpointId: string }) => {
  const [page, setPage] = useState(1)
  const query = useQuery(deliveriesQuery(endpointId, page))
  return (
    <Card title={s.deliveries} text={s.deliveriesText}>
      <Loaded query={query}>
        {({ data }) => (
          <>
            {data.length ? (
              <DataTable
                caption={s.deliveries}
                columns={columns}
                rows={data}
                classes={classes}
                getId={({ eventId }) => eventId}
                isLinked
              />
            ) : (
              <p className="quiet">{s.noDeliveries}</p>
            )}
            <Pager page={page} isMore={data.length === perPage} onPage={setPage} />
          </>
        )}
      </Loaded>
    </Card>
  )
}
