import { useQuery } from '@tanstack/react-query'
import type { Nft } from 'kassa/schema'
import { useState } from 'react'
import { tokensQuery } from '../api/collections.js'
import { perPage } from '../api/developers.js'
import { Badge } from '../components/Badge.js'
import { Card } from '../components/Card.js'
import { type Column, DataTable } from '../components/DataTable.js'
import { Loaded } from '../components/Loaded.js'
import { Pager } from '../components/Pager.js'
import { Picture } from '../components/Picture.js'
import { Reference } from '../components/Reference.js'
import { shorten, wordFor } from '../lib/format.js'
import type { Tone } from '../lib/orderStatus.js'
import { t } from '../messages/index.js'

const s = t.collections
const tones: Readonly<Record<string, Tone>> = { success: 'good', failed: 'bad', pending: 'info' }

const Owner = ({ token: { onChain } }: { token: Nft }) =>
  onChain.owner ? <Reference value={onChain.owner} what={s.owner} /> : t.none

const columns: Column<Nft>[] = [
  {
    id: 'token',
    header: s.token,
    cell: ({ row: { original } }) => (
      <div className="item">
        <Picture url={original.metadata?.image} size="small" />
        <div>
          <span className="strong">{original.metadata?.name ?? shorten(original.id)}</span>
          <span className="soft mono">
            {shorten(original.onChain.tokenId ?? original.onChain.mintHash ?? original.id)}
          </span>
          <span className="narrow">
            <Owner token={original} />
          </span>
        </div>
      </div>
    ),
  },
  { id: 'owner', header: s.owner, cell: ({ row }) => <Owner token={row.original} /> },
  {
    id: 'status',
    header: s.tokenStatus,
    cell: ({ row: { original } }) => (
      <Badge tone={tones[original.onChain.status] ?? 'neutral'}>
        {wordFor(s.tokenStatuses, original.onChain.status)}
      </Badge>
    ),
  },
]

const classes = { owner: 'wide tight', status: 'end tight' }

/** The tokens of a collection. */
export const TokensCard = ({ collectionId }: { collectionId: string }) => {
  const [page, setPage] = useState(1)
  const query = useQuery(tokensQuery(collectionId, page))
  return (
    <Card title={s.tokens}>
      <Loaded query={query}>
        {(tokens) => (
          <>
            {tokens.length ? (
              <DataTable
                caption={s.tokens}
                columns={columns}
                rows={tokens}
                classes={classes}
                getId={({ id }) => id}
              />
            ) : (
              <p className="quiet">{s.noTokens}</p>
            )}
            <Pager page={page} isMore={tokens.length === perPage} onPage={setPage} />
          </>
        )}
      </Loaded>
    </Card>
  )
}
