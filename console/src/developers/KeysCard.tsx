import { useQuery } from '@tanstack/react-query'
import { revokeApiKey } from 'kassa/api'
import type { ApiKey } from 'kassa/schema'
import { useState } from 'react'
import { client } from '../api/console.js'
import { keysQuery, perPage, useReadAgain } from '../api/developers.js'
import { Badge } from '../components/Badge.js'
import { Card } from '../components/Card.js'
import { Confirm } from '../components/Confirm.js'
import { type Column, DataTable } from '../components/DataTable.js'
import { Loaded } from '../components/Loaded.js'
import { Pager } from '../components/Pager.js'
import { useToast } from '../components/Toast.js'
import { formatDay, formatTime, wordFor } from '../lib/format.js'
import type { Tone } from '../lib/orderStatus.js'
import { t } from '../messages/index.js'
import { CreateKeyDialog } from './CreateKeyDialog.js'
import { nameKey } from './nameKey.js'
import { RollKeyDialog } from './RollKeyDialog.js'

const s = t.keys
const tones: Readonly<Record<string, Tone>> = { active: 'good', expiring: 'warn' }

const describeUse = ({ lastUsedAt }: ApiKey): string =>
  lastUsedAt ? s.lastUsed(formatTime(lastUsedAt)) : s.unused

const describeState = ({ status, expiresAt }: ApiKey): string =>
  status === 'expiring' && expiresAt ? s.until(formatTime(expiresAt)) : wordFor(s.statuses, status)

/** What stops when a key is revoked: whatever sends it, and what that may do. */
const Stops = ({ apiKey }: { apiKey: ApiKey }) => (
  <>
    {s.revokeText(describeUse(apiKey))}
    <span className="stops">
      {s.stops}
      <code>{[...apiKey.scopes, ...apiKey.origins].join(', ')}</code>
    </span>
  </>
)

const Revoke = ({ apiKey }: { apiKey: ApiKey }) => {
  const say = useToast()
  const readAgain = useReadAgain()
  const name = nameKey(apiKey)
  const revoke = async () => {
    await revokeApiKey(client, { keyId: apiKey.keyId })
    say(s.revoked(name))
    await readAgain('keys')
  }
  return (
    <Confirm
      size="small"
      label={s.revoke}
      name={s.revokeOf(name)}
      title={s.revokeTitle(name)}
      text={<Stops apiKey={apiKey} />}
      action={s.revokeConfirm}
      run={revoke}
    />
  )
}

const Permissions = ({ apiKey }: { apiKey: ApiKey }) => (
  <details>
    <summary>{s.scopeCount(apiKey.scopes.length)}</summary>
    <code>{[...apiKey.scopes, ...apiKey.origins].join(', ')}</code>
  </details>
)

const columns: Column<ApiKey>[] = [
  {
    id: 'key',
    header: s.name,
    cell: ({ row: { original } }) => (
      <>
        <span className="strong">{nameKey(original)}</span>
        <div className="soft">
          {wordFor(s.kinds, original.kind)}
          <span className="narrow">{describeUse(original)}</span>
        </div>
        <span className="narrow">
          <Permissions apiKey={original} />
          <Badge tone={tones[original.status] ?? 'neutral'}>{describeState(original)}</Badge>
        </span>
      </>
    ),
  },
  { id: 'scopes', header: s.scopes, cell: ({ row }) => <Permissions apiKey={row.original} /> },
  {
    id: 'used',
    header: s.used,
    cell: ({ row: { original } }) => (
      <>
        {original.lastUsedAt ? formatTime(original.lastUsedAt) : s.never}
        <div className="soft">{s.since(formatDay(original.createdAt))}</div>
      </>
    ),
  },
  {
    id: 'status',
    header: s.status,
    cell: ({ row: { original } }) => (
      <Badge tone={tones[original.status] ?? 'neutral'}>{describeState(original)}</Badge>
    ),
  },
  {
    id: 'actions',
    header: () => <span className="hidden">{t.actions}</span>,
    cell: ({ row: { original } }) => (
      <div className="row-actions">
        {original.status === 'active' && <RollKeyDialog apiKey={original} />}
        {original.status !== 'revoked' && <Revoke apiKey={original} />}
      </div>
    ),
  },
]

const classes = { scopes: 'wide', used: 'wide tight', status: 'wide tight', actions: 'end' }

/** The API keys of the project. */
export const KeysCard = () => {
  const [page, setPage] = useState(1)
  const query = useQuery(keysQuery(page))
  return (
    <Card title={s.title} text={s.text} actions={<CreateKeyDialog />}>
      <Loaded query={query}>
        {({ data }) => (
          <>
            {data.length ? (
              <DataTable
                caption={s.title}
                columns={columns}
                rows={data}
                classes={classes}
                getId={({ keyId }) => keyId}
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
