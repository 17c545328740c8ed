import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Collection } from 'kassa/schema'
import { useState } from 'react'
import { collectionsQuery } from '../api/collections.js'
import { perPage } from '../api/developers.js'
import { useMay } from '../api/session.js'
import { CreateCollectionDialog } from '../collections/CreateCollectionDialog.js'
import { type Column, DataTable } from '../components/DataTable.js'
import { Loaded } from '../components/Loaded.js'
import { Page } from '../components/Page.js'
import { Pager } from '../components/Pager.js'
import { Picture } from '../components/Picture.js'
import { describePrice, describeSupply, nameCollection } from '../lib/describeCollection.js'
import { formatChain } from '../lib/format.js'
import { t } from '../messages/index.js'
import { Allowed } from '../shell/Allowed.js'

const s = t.collections

const columns: Column<Collection>[] = [
  {
    id: 'collection',
    header: s.collection,
    cell: ({ row: { original } }) => (
      <div className="item" data-middle="">
        <Picture url={original.metadata.imageUrl} size="small" />
        <div>
          <Link to="/collections/$collectionId" params={{ collectionId: original.id }} className="row-link">
            {nameCollection(original)}
          </Link>
          <span className="narrow soft">{formatChain(original.onChain.chain)}</span>
          <span className="narrow soft">{describeSupply(original)}</span>
        </div>
      </div>
    ),
  },
  { id: 'chain', header: s.chain, cell: ({ row }) => formatChain(row.original.onChain.chain) },
  { id: 'supply', header: s.supply, cell: ({ row }) => describeSupply(row.original) },
  { id: 'price', header: s.price, cell: ({ row }) => describePrice(row.original) },
]

const classes = { chain: 'wide tight', supply: 'wide tight figures', price: 'end figures' }

/** The collections of the shop. */
export const Collections = () => {
  const [page, setPage] = useState(1)
  const query = useQuery(collectionsQuery(page))
  const mayCreate = useMay('collections.create')
  return (
    <Allowed scope="collections.read">
      <Page title={s.title} actions={mayCreate && <CreateCollectionDialog />}>
        <Loaded query={query}>
          {({ results }) => (
            <>
              <div className="card" aria-busy={query.isPlaceholderData}>
                {results.length ? (
                  <DataTable
                    caption={s.title}
                    columns={columns}
                    rows={results}
                    classes={classes}
                    getId={({ id }) => id}
                    isLinked
                  />
                ) : (
                  <div className="empty">
                    <h2>{s.empty}</h2>
                    <p>{s.emptyText}</p>
                  </div>
                )}
              </div>
              <Pager page={page} isMore={results.length === perPage} onPage={setPage} />
            </>
          )}
        </Loaded>
      </Page>
    </Allowed>
  )
}
