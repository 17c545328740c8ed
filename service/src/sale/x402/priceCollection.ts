import { eq } from 'drizzle-orm'
import { type AskedTerms, clip, knownUnits, quoteOrder } from 'kassa/engine'
import { collections } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import { readSuspended } from '#goods/collections/suspendedCurrencies.js'
import { sellsToStrangers } from '#identity/keys/clientKeys.js'
import { findGoods, findUnpayable, withPayees } from '../orders/findLineItems.js'
import { findX402Token } from '../orders/offerX402.js'
import { listPayable } from '../orders/onSale.js'

/** What is bought: one token of a collection, or one copy of a template. */
export type AskedGoods = {
  collectionId: string
  templateId?: string | undefined
  /** Needed where several projects have a collection of the same id. */
  projectId?: string | undefined
}

/** A collection, and what one token of it costs in one currency of one chain. @units base units of `currency` */
export type CollectionPrice = { chain: ChainPort; currency: string; units: bigint; expiresAtMs: number }

/** A collection that is asked for. */
export type FoundCollection = { projectId: string; id: string; chain: string; name: string }

/**
 * Finds a collection by its id, in any project that lets strangers order.
 *
 * @throws {@link ServiceError} `not-found`; `input-invalid` naming `projectId` if several projects have one of this id.
 */
export const findSoldCollection = async (
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { collectionId, projectId }: AskedGoods,
): Promise<FoundCollection> => {
  const { projectId: ofProject, id, chain, name } = collections
  const rows = await db
    .select({ projectId: ofProject, id, chain, name })
    .from(collections)
    .where(eq(id, collectionId))
  const nowMs = now()
  const found: FoundCollection[] = []
  for (const row of rows) {
    if (projectId !== undefined && row.projectId !== projectId) continue
    // Whoever keeps to server keys decides alone who orders what.
    if (await sellsToStrangers(db, row.projectId, nowMs)) found.push(row)
  }
  const [collection] = found
  if (!collection) throw new ServiceError('not-found', `Collection ${clip(collectionId)} not found`)
  if (found.length === 1) return collection
  throw new ServiceError(
    'input-invalid',
    'projectId: several projects have a collection of this id: name one',
  )
}

/** The terms of an order of one token whose payer is not known. */
const termsOf = (
  { projectId, id }: FoundCollection,
  { orderId, templateId }: { orderId: string; templateId: string | undefined },
): Omit<AskedTerms, 'payment'> => ({
  orderId,
  projectId,
  locale: 'en-US',
  items: [{ collectionId: id, ...(templateId !== undefined && { templateId }), quantity: 1, callData: {} }],
})

/**
 * Prices one token of a collection in each currency in which software can pay by x402. The payer's wallet receives it, so
 * that only chains of the collection's family are priced. What the sale says of a buyer is left to the payment.
 *
 * @throws {@link ServiceError} `not-found`; `conflict` if the collection sells nothing now.
 */
export const priceCollection = async (
  deps: Deps,
  collection: FoundCollection,
  asked: { orderId: string; templateId: string | undefined },
): Promise<CollectionPrice[]> => {
  const family = deps.chains.get(collection.chain)?.family
  const rates = await deps.rates.read()
  const nowMs = deps.now()
  const terms = termsOf(collection, asked)
  const ports = deps.chains.enabled.flatMap((name) => deps.chains.get(name) ?? [])
  const prices: CollectionPrice[] = []
  let refusal = `${collection.name} cannot be paid by x402 here`
  for (const chain of ports.filter((port) => port.family === family && port.authorizations)) {
    await chain.ready()
    const [native] = chain.currencies
    if (!native) continue
    const payment = { chain: chain.chain, currency: native.currency, decimals: native.decimals }
    const goods = await findGoods(deps, { ...terms, payment }, true)
    if (findUnpayable(goods, chain)) continue
    // Whoever pays is not known yet, so nobody is left out.
    const items = withPayees(goods, chain).map((item) => ({ ...item, isListed: true }))
    const suspended = await readSuspended(deps, chain.chain)
    for (const { currency, decimals } of listPayable(deps, chain, { items, rates, suspended })) {
      if (!(await findX402Token(deps, chain, currency))) continue
      const input = { items, recipient: {}, payment: { chain: chain.chain, currency, decimals }, nowMs }
      const quoted = quoteOrder(input, { ...deps.config, rates: rates.usd })
      const units = knownUnits(quoted)
      const { expiresAtMs, status } = quoted.quote
      const [item] = quoted.lineItems
      if (units && expiresAtMs !== undefined) prices.push({ chain, currency, units, expiresAtMs })
      else refusal = item?.quote.unavailabilityReason?.message ?? `its quote is ${status}`
    }
  }
  if (!prices.length) throw new ServiceError('conflict', `collectionId: ${refusal}`)
  return prices
}
