import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Collection } from 'kassa/schema'
import { collectionQuery } from '../api/collections.js'
import { useMay } from '../api/session.js'
import { EditCollectionDialog } from '../collections/EditCollectionDialog.js'
import { MintDialog } from '../collections/MintDialog.js'
import { SaleDialog } from '../collections/sale/SaleDialog.js'
import { TokensCard } from '../collections/TokensCard.js'
import { Card } from '../components/Card.js'
import { Facts } from '../components/Facts.js'
import { Icon } from '../components/Icon.js'
import { Loaded } from '../components/Loaded.js'
import { Page } from '../components/Page.js'
import { Picture } from '../components/Picture.js'
import { Reference } from '../components/Reference.js'
import { describePrice, describeSupply, nameCollection } from '../lib/describeCollection.js'
import { describeSale } from '../lib/describeSale.js'
import { formatChain, formatTime } from '../lib/format.js'
import { t } from '../messages/index.js'
import { Allowed } from '../shell/Allowed.js'

const s = t.collections

const CollectionFacts = ({ collection }: { collection: Collection }) => {
  const { metadata, onChain, supply, id } = collection
  const address = onChain.contractAddress ?? onChain.mintAddress
  return (
    <Card title={s.facts}>
      <div className="card-body">
        <Facts
          isStacked
          of={[
            [s.price, describePrice(collection)],
            [s.supply, describeSupply(collection)],
            [s.reserved, supply && supply.reserved > 0 && `${supply.reserved}`],
            [s.chain, formatChain(onChain.chain)],
            [s.contract, address && <Reference value={address} what={s.contract} />],
            [s.standard, onChain.type],
            [s.symbol, metadata.symbol],
            [s.id, <Reference key="id" value={id} what={s.id} />],
            [s.description, metadata.description],
          ]}
        />
      </div>
    </Card>
  )
}

const SaleFacts = ({ collection }: { collection: Collection }) => {
  const { sale } = collection
  if (!sale) return <p className="quiet">{s.noSale}</p>
  const { startsAt, endsAt } = sale
  const { most, phases, codes } = describeSale(sale, collection)
  return (
    <div className="card-body">
      <Facts
        isStacked
        of={[
          [s.starts, startsAt && formatTime(startsAt)],
          [s.ends, endsAt && formatTime(endsAt)],
          [s.phases, phases.length > 0 && <Lines of={phases} />],
          [s.maxPerBuyer, most.join(', ')],
          [s.codes, codes.length > 0 && <Lines of={codes} />],
        ]}
      />
    </div>
  )
}

const Lines = ({ of }: { of: readonly string[] }) => of.map((line) => <div key={line}>{line}</div>)

const route = getRouteApi('/shell/collections/$collectionId')

/** A collection, its tokens, and what may be done with it. */
export const CollectionPage = () => {
  const { collectionId } = route.useParams()
  const query = useQuery(collectionQuery(collectionId))
  const [mayChange, mayMint, maySeeTokens] = [
    useMay('collections.create'),
    useMay('nfts.create'),
    useMay('nfts.read'),
  ]
  const collection = query.data
  const crumb = (
    <Link to="/collections" className="crumb">
      <Icon name="left" />
      {s.title}
    </Link>
  )
  const actions = collection && (
    <>
      {mayMint && <MintDialog collection={collection} />}
      {mayChange && <EditCollectionDialog collection={collection} />}
    </>
  )
  return (
    <Allowed scope="collections.read">
      <Page
        title={collection ? nameCollection(collection) : s.collection}
        crumb={crumb}
        mark={collection && <Picture url={collection.metadata.imageUrl} />}
        actions={actions}
      >
        <Loaded query={query}>
          {(known) => (
            <div className="columns">
              <div className="column">{maySeeTokens && <TokensCard collectionId={collectionId} />}</div>
              <div className="column">
                <CollectionFacts collection={known} />
                <Card title={s.sale} actions={mayChange && <SaleDialog collection={known} />}>
                  <SaleFacts collection={known} />
                </Card>
              </div>
            </div>
          )}
        </Loaded>
      </Page>
    </Allowed>
  )
}
