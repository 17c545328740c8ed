import { findLocale } from 'kassa/schema'
import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { BuyForm } from '../../../components/shop/BuyForm'
import { FiatPrice } from '../../../components/shop/FiatPrice'
import { KeepFresh } from '../../../components/shop/KeepFresh'
import { Picture } from '../../../components/shop/Picture'
import { ServiceAway } from '../../../components/shop/ServiceAway'
import { getEditionPath } from '../../../lib/editionPath'
import { getLanguage } from '../../../lib/language/getLanguage'
import { getTranslate } from '../../../lib/language/getTranslate'
import { formatOpening, listSaleRules } from '../../../lib/listSaleRules'
import { formatMoney } from '../../../lib/money'
import { createPageMetadata } from '../../../lib/pageMetadata'
import { getPayOptions } from '../../../lib/payOptions'
import { getEdition, getShop } from '../../../lib/shop'
import { getShopUrl } from '../../../lib/shopUrl'
import { describeProduct, writeScriptJson } from '../../../lib/structuredData'
import { buy } from './buy'
import styles from './page.module.css'

type Props = { params: Promise<{ id: string }> }

/** Returns the edition's name as the page title, and what a link to it shows elsewhere. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const edition = await getEdition(decodeURIComponent((await params).id))
  if (!edition) return {}
  const { id, name, description, price, currency } = edition
  const [language, t] = await Promise.all([getLanguage(), getTranslate('edition')])
  return {
    title: name,
    ...(await createPageMetadata({
      title: t('cardTitle', { name, price: formatMoney(price, currency, findLocale(language)) }),
      description: description || t('description', { name }),
      path: getEditionPath(id),
    })),
  }
}

/** Shows one edition and the form that buys it. */
export default async function EditionPage({ params }: Props) {
  const [{ id }, shop, language, t] = await Promise.all([
    params,
    getShop(),
    getLanguage(),
    getTranslate('edition'),
  ])
  if (!shop) return <ServiceAway />
  const edition = await getEdition(decodeURIComponent(id))
  if (!edition) notFound()
  const { name, description, price, currency, fiat, chainLabel, supplyLimit } = edition
  const locale = findLocale(language)
  const options = getPayOptions(shop.networks, edition)
  const currencies = [...new Set(options.map((option) => option.currency.toUpperCase()))]
  const shopUrl = await getShopUrl()
  const product = describeProduct(edition, shopUrl && new URL(getEditionPath(edition.id), shopUrl).href)
  const rules = await listSaleRules(edition, language, t)
  const opensAt = edition.sale?.startsAt
  const facts = [
    ...(rules.length ? [[t('sale'), rules.map((rule) => <p key={rule}>{rule}</p>)] as const] : []),
    [t('edition'), supplyLimit === undefined ? t('openNumber') : t('number', { count: supplyLimit })],
    [t('network'), chainLabel],
    ...(edition.standard ? [[t('token'), t('tokenKind', { standard: edition.standard })] as const] : []),
    [t('payment'), currencies.join(', ')],
    [t('delivery'), t('deliveryTo')],
  ] as const
  return (
    <article>
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: writeScriptJson(product) }} />
      <nav aria-label={t('breadcrumb')}>
        <Link className="back" href="/#editions">
          ← {t('all')}
        </Link>
      </nav>
      <div className={styles.work}>
        <figure className={styles.wall}>
          <Picture src={edition.imageUrl} name={name} isFirst />
        </figure>
        <div className={styles.about}>
          <h1 className="title" lang="en">
            {name}
          </h1>
          <p className={styles.price}>
            {formatMoney(price, currency, locale)}{' '}
            <FiatPrice price={{ amount: price, currency }} fiat={fiat} locale={locale} />
          </p>
          {description && (
            <p className="lead" lang="en">
              {description}
            </p>
          )}
          {opensAt !== undefined && (
            <>
              <p className="lead">{t('opens', { date: formatOpening(opensAt, language) })}</p>
              <KeepFresh />
            </>
          )}
          {opensAt === undefined && options.length > 0 && <BuyForm edition={edition} action={buy} />}
          {opensAt === undefined && options.length === 0 && <p className="alert">{t('unavailable')}</p>}
          <dl className={styles.facts}>
            {facts.map(([term, fact]) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{fact}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </article>
  )
}
