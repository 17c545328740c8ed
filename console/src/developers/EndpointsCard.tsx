import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { members, type WebhookEndpoint } from 'kassa/schema'
import { useState } from 'react'
import { endpointsQuery, perPage } from '../api/developers.js'
import { useMay } from '../api/session.js'
import { Badge } from '../components/Badge.js'
import { Card } from '../components/Card.js'
import { type Column, DataTable } from '../components/DataTable.js'
import { Loaded } from '../components/Loaded.js'
import { Pager } from '../components/Pager.js'
import { formatDay, wordFor } from '../lib/format.js'
import type { Tone } from '../lib/orderStatus.js'
import { t } from '../messages/index.js'
import { EndpointDialog } from './EndpointDialog.js'

const s = t.webhooks
const tones: Readonly<Record<string, Tone>> = { enabled: 'good', disabled: 'warn' }

/** Renders whether an endpoint receives events. */
export const EndpointStatus = ({ endpoint: { status } }: { endpoint: WebhookEndpoint }) => (
  <Badge tone={tones[status] ?? 'neutral'}>{wordFor(s.statuses, status)}</Badge>
)

/** Returns how many types of events an endpoint receives, in words. */
export const countTypes = ({ eventTypes }: WebhookEndpoint): string =>
  eventTypes.length === members.webhookEventTypes.length ? s.everyEvent : s.eventCount(eventTypes.length)

const columns: Column<WebhookEndpoint>[] = [
  {
    id: 'url',
    header: s.url,
    cell: ({ row: { original } }) => (
      <>
        <Link
          to="/developers/webhooks/$endpointId"
          params={{ endpointId: original.endpointId }}
          className="row-link"
        >
          {original.url}
        </Link>
        <span className="narrow soft">{countTypes(original)}</span>
      </>
    ),
  },
  { id: 'events', header: s.events, cell: ({ row }) => countTypes(row.original) },
  { id: 'since', header: s.since, cell: ({ row }) => formatDay(row.original.createdAt) },
  { id: 'status', header: s.status, cell: ({ row }) => <EndpointStatus endpoint={row.original} /> },
]

const classes = { events: 'wide tight', since: 'wide tight soft', status: 'end tight' }

/** The webhook endpoints of the project. */
export const EndpointsCard = () => {
  const [page, setPage] = useState(1)
  const query = useQuery(endpointsQuery(page))
  const mayManage = useMay('webhooks.manage')
  return (
    <Card title={s.title} text={s.text} actions={mayManage && <EndpointDialog />}>
      <Loaded query={query}>
        {({ data }) => (
          <>
            {data.length ? (
              <DataTable
                caption={s.title}
                columns={columns}
                rows={data}
                classes={classes}
                getId={({ endpointId }) => endpointId}
                isLinked
              />
            ) : (
              <p className="quiet">{s.empty}</p>
            )}
            <Pager page={page} isMore={data.length === perPage} onPage={setPage} />
          </>
        )}
      </Loaded>
    </Card>
  )
}
