import Link from 'next/link'
import { EditionCard } from '../components/shop/EditionCard'
import { Series } from '../components/shop/Series'
import { ServiceAway } from '../components/shop/ServiceAway'
import { getShop } from '../lib/shop'
import styles from './page.module.css'

const steps = [
  {
    title: 'Choose',
    text: 'Every edition is one picture in a limited number. Its price is held for you while you check out.',
  },
  {
    title: 'Pay from your wallet',
    text: 'No account and no card. You see the exact amount before you confirm, and confirm it in your own wallet.',
  },
  {
    title: 'It is yours',
    text: 'Your number of the edition arrives in your wallet, usually within a minute, with a receipt that names it.',
  },
]

/** Shows the shop's editions. */
export default async function HomePage() {
  const shop = await getShop()
  return (
    <>
      <section className={styles.hero}>
        <h1 className={styles.claim}>Pictures in small digital editions</h1>
        <p className="lead">
          Bought in a minute, delivered to your wallet, and owned by you on a public ledger.
        </p>
      </section>
      <section id="editions" aria-labelledby="editions-title" className={styles.section}>
        <div className={styles.head}>
          <h2 id="editions-title" className="heading">
            Editions
          </h2>
          {shop && shop.editions.length > 0 && <p className="small soft">{shop.editions.length} on sale</p>}
        </div>
        <Editions shop={shop} />
      </section>
      <section id="how" aria-labelledby="how-title" className={styles.section}>
        <div className={styles.head}>
          <h2 id="how-title" className="heading">
            How it works
          </h2>
        </div>
        <ol className={styles.steps}>
          {steps.map(({ title, text }, index) => (
            <li key={title}>
              <span className={styles.number} aria-hidden="true">
                {index + 1}
              </span>
              <h3 className={styles.step}>{title}</h3>
              <p className="soft">{text}</p>
            </li>
          ))}
        </ol>
      </section>
    </>
  )
}

function Editions({ shop }: { shop: Awaited<ReturnType<typeof getShop>> }) {
  if (!shop) return <ServiceAway />
  if (shop.editions.length === 0) {
    return (
      <div className="notice">
        <p className="lead">
          Nothing is on sale at the moment. New editions appear here as they are released.
        </p>
        <Link className="button" href="/#how">
          See how it works
        </Link>
      </div>
    )
  }
  return (
    <>
      <ul className={styles.grid}>
        {shop.editions.map((edition, index) => (
          <li key={edition.id}>
            <EditionCard edition={edition} isFirst={index < 3} />
          </li>
        ))}
      </ul>
      <Series shop={shop} />
    </>
  )
}
