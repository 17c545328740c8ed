import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { listAuditEntries } from 'kassa/api'
import type { AuditEntry } from 'kassa/schema'
import { client } from '../api/console.js'
import { Badge } from '../components/Badge.js'
import { type Column, DataTable } from '../components/DataTable.js'
import { Loaded } from '../components/Loaded.js'
import { Page } from '../components/Page.js'
import { Paging } from '../components/Paging.js'
import { formatAccount, formatTime, shorten, wordFor } from '../lib/format.js'
import type { Tone } from '../lib/orderStatus.js'
import { t } from '../messages/index.js'
import { Allowed } from '../shell/Allowed.js'

const s = t.audit

const auditQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['audit', cursor],
    queryFn: ({ signal }) => listAuditEntries(client, { cursor, limit: 50, signal }),
    placeholderData: keepPreviousData,
  })

const tones: Readonly<Record<string, Tone>> = { succeeded: 'good', refused: 'warn', failed: 'bad' }

const Outcome = ({ entry }: { entry: AuditEntry }) => (
  <Badge tone={tones[entry.outcome] ?? 'neutral'}>{wordFor(s.outcomes, entry.outcome)}</Badge>
)

/** What an act was on: its order as a link, anything else as the service wrote it. */
const Target = ({ resource }: { resource: string }) => {
  const orderId = /(?:^| )orderId=([\w-]+)/.exec(resource)?.[1]
  if (!orderId) return <span className="soft">{resource}</span>
  return (
    <Link to="/orders/$orderId" params={{ orderId }}>
      {t.order.title(shorten(orderId))}
    </Link>
  )
}

const Act = ({ entry }: { entry: AuditEntry }) => (
  <>
    <span className="strong">{wordFor(s.operations, entry.operation)}</span>
    <span className="narrow soft">{formatAccount(entry.actor.name)}</span>
    <span className="narrow soft">{formatTime(entry.createdAt)}</span>
    <span className="narrow">
      <Target resource={entry.resource} />
    </span>
  </>
)

const columns: Column<AuditEntry>[] = [
  { id: 'what', header: s.what, cell: ({ row }) => <Act entry={row.original} /> },
  {
    id: 'who',
    header: s.who,
    cell: ({ row }) => (
      <>
        {formatAccount(row.original.actor.name)}
        {row.original.ipAddress && <div className="soft mono">{row.original.ipAddress}</div>}
      </>
    ),
  },
  { id: 'target', header: s.target, cell: ({ row }) => <Target resource={row.original.resource} /> },
  { id: 'outcome', header: s.outcome, cell: ({ row }) => <Outcome entry={row.original} /> },
  { id: 'when', header: s.when, cell: ({ row }) => formatTime(row.original.createdAt) },
]

const classes = { who: 'wide', target: 'wide', when: 'wide tight soft', outcome: 'tight' }

const route = getRouteApi('/shell/audit-log')

const Entries = () => {
  const { cursor } = route.useSearch()
  const query = useQuery(auditQuery(cursor))
  return (
    <Page title={s.title} text={s.text}>
      <Loaded query={query}>
        {({ data, nextCursor, previousCursor }) => (
          <>
            <div className="card" aria-busy={query.isPlaceholderData}>
              {data.length ? (
                <DataTable
                  caption={s.title}
                  columns={columns}
                  rows={data}
                  classes={classes}
                  getId={({ entryId }) => entryId}
                />
              ) : (
                <div className="empty">
                  <h2>{s.empty}</h2>
                  <p>{s.emptyText}</p>
                </div>
              )}
            </div>
            <Paging to="/audit-log" search={{}} next={nextCursor} previous={previousCursor} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Who changed what in the console. */
export const AuditLog = () => (
  <Allowed scope="audit.read">
    <Entries />
  </Allowed>
)
