import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { BuyForm } from '../../../components/shop/BuyForm'
import { Picture } from '../../../components/shop/Picture'
import { ServiceAway } from '../../../components/shop/ServiceAway'
import { formatMoney } from '../../../lib/money'
import { getEditionPayOptions } from '../../../lib/payOptions'
import { getEdition, getShop } from '../../../lib/shop'
import { buy } from './buy'
import styles from './page.module.css'

type Props = { params: Promise<{ id: string }> }

/** Returns the edition's name as the page title. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const edition = await getEdition(decodeURIComponent((await params).id))
  return edition ? { title: edition.name, description: edition.description } : {}
}

/** Shows one edition and the form that buys it. */
export default async function EditionPage({ params }: Props) {
  const [{ id }, shop] = await Promise.all([params, getShop()])
  if (!shop) return <ServiceAway />
  const edition = await getEdition(decodeURIComponent(id))
  if (!edition) notFound()
  const { name, description, price, currency, chainLabel, supplyLimit } = edition
  const facts = [
    ['Edition', supplyLimit === undefined ? 'Open, no fixed number' : `${supplyLimit} in all`],
    ['Network', chainLabel],
    ['Token', 'ERC-721, one per picture'],
    ['Delivery', 'To your wallet or an e-mail address'],
  ] as const
  return (
    <article className={styles.layout}>
      <figure className={styles.wall}>
        <Picture src={edition.imageUrl} name={name} isFirst />
      </figure>
      <div className={styles.about}>
        <nav aria-label="Breadcrumb" className="small">
          <Link className={styles.back} href="/#editions">
            ← All editions
          </Link>
        </nav>
        <h1 className="title">{name}</h1>
        <p className={styles.price}>{formatMoney(price, currency)}</p>
        {description && <p className="lead">{description}</p>}
        <BuyForm edition={edition} options={getEditionPayOptions(shop.networks, edition)} action={buy} />
        <dl className={styles.facts}>
          {facts.map(([term, fact]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{fact}</dd>
            </div>
          ))}
        </dl>
      </div>
    </article>
  )
}
