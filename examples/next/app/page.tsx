import type { Metadata } from 'next'
import Link from 'next/link'
import { EditionCard } from '../components/shop/EditionCard'
import { Series } from '../components/shop/Series'
import { ServiceAway } from '../components/shop/ServiceAway'
import type { Translate } from '../lib/language/createTranslate'
import { getTranslate } from '../lib/language/getTranslate'
import { createPageMetadata } from '../lib/pageMetadata'
import { getShop, type Shop } from '../lib/shop'
import styles from './page.module.css'

const listSteps = (t: Translate<'home'>) => [
  { title: t('choose'), text: t('chooseText') },
  { title: t('pay'), text: t('payText') },
  { title: t('own'), text: t('ownText') },
]

/** Returns what a link to the shop shows elsewhere. */
export const generateMetadata = async (): Promise<Metadata> => {
  const t = await getTranslate('shop')
  return createPageMetadata({ title: t('title'), description: t('description'), path: '/' })
}

/** Shows the shop's editions. */
export default async function HomePage() {
  const [shop, t, words] = await Promise.all([getShop(), getTranslate('home'), getTranslate('shop')])
  return (
    <>
      <section className={styles.hero}>
        <h1 className={styles.claim}>{words('claim')}</h1>
        <p className="lead">{t('lead')}</p>
      </section>
      <section id="editions" aria-labelledby="editions-title" className={styles.section}>
        <div className={styles.head}>
          <h2 id="editions-title" className="heading">
            {words('editions')}
          </h2>
          {shop && shop.editions.length > 0 && (
            <p className="small soft">{t('onSale', { count: shop.editions.length })}</p>
          )}
        </div>
        <Editions shop={shop} t={t} />
      </section>
      <section id="how" aria-labelledby="how-title" className={styles.section}>
        <div className={styles.head}>
          <h2 id="how-title" className="heading">
            {words('how')}
          </h2>
        </div>
        <ol className={styles.steps}>
          {listSteps(t).map(({ title, text }, index) => (
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

function Editions({ shop, t }: { shop: Shop | undefined; t: Translate<'home'> }) {
  if (!shop) return <ServiceAway />
  if (shop.editions.length === 0) {
    return (
      <div className="notice">
        <p className="lead">{t('nothing')}</p>
        <Link className="button" href="/#how">
          {t('seeHow')}
        </Link>
      </div>
    )
  }
  return (
    <>
      <ul className={styles.grid}>
        {shop.editions.map((edition, index) => (
          <li key={edition.id}>
            <EditionCard edition={edition} isFirst={index === 0} />
          </li>
        ))}
      </ul>
      <Series shop={shop} />
    </>
  )
}
