import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '#base/db/database.js'
import { adoptedWrites, collections, nfts, orders, templates } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { FoundMint, FoundPayment, FoundWrites } from '#base/ports/restore.js'
import { listCollectionRefs } from '#goods/collections/findCollection.js'
import { toCollectionRef } from '#goods/collections/viewCollection.js'
import { nftKey } from '#goods/nfts/findNft.js'
import { contractTemplate } from '#goods/templates/findTemplate.js'
import { tokenMintKey } from '../orders/mintItem.js'

type RestoreDeps = Pick<Deps, 'db' | 'chains'>

/** What a chain has that the database lacks. */
export type Missing = FoundWrites & {
  chain: string
  /** The orders that the database knows, by what the chain knows them by. */
  orderIds: ReadonlyMap<string, string>
  /** Payments of orders that the database does not know: their buyers have paid, and have to be asked. */
  unknownPayments: FoundPayment[]
}

/** Whether something was written that the database does not know. */
export const isMissing = ({ writes, others }: Missing): boolean => writes.length + others.length > 0

/** Compares the chains with a database that was restored from a backup, without changing anything. */
export const findMissing = async (
  { db, chains }: RestoreDeps,
  names: readonly string[],
): Promise<Missing[]> => {
  const known = await db.select({ id: orders.id }).from(orders)
  const missing: Missing[] = []
  for (const name of names) {
    const chain = chains.get(name)
    if (!chain) continue
    // The node of a development chain that was never used has nothing.
    const found = await chain.restore.find(await listCollectionRefs(db, name))
    const orderIds = new Map(known.map(({ id }) => [chain.restore.orderReferenceOf(id), id]))
    const unknownPayments = found.payments.filter(({ orderReference }) => !orderIds.has(orderReference))
    missing.push({ ...found, chain: name, orderIds, unknownPayments })
  }
  return missing
}

/** Returns what the chain knows the mints by whose token ids the database has given out already. */
const listCounted = async (
  tx: Transaction,
  { chain, restore }: ChainPort,
  collection: typeof collections.$inferSelect,
): Promise<ReadonlySet<string>> => {
  const counted = new Set<string>()
  const isWaiting = and(eq(orders.projectId, collection.projectId), eq(orders.phase, 'delivery'))
  for (const { document } of await tx.select({ document: orders.document }).from(orders).where(isWaiting)) {
    for (const [index, { chain: on, collectionId, delivery }] of document.lineItems.entries()) {
      if (on !== chain || collectionId !== collection.id) continue
      for (const at of (delivery.tokenIds ?? []).keys()) {
        for (const one of restore.referencesOf(tokenMintKey(document.orderId, index, at))) counted.add(one)
      }
    }
  }
  const isOfIt = and(eq(nfts.projectId, collection.projectId), eq(nfts.collectionId, collection.id))
  const isPending = and(isOfIt, eq(nfts.status, 'pending'))
  for (const nft of await tx.select().from(nfts).where(isPending))
    for (const one of restore.referencesOf(nftKey(nft))) counted.add(one)
  return counted
}

/** Moves the counters of a collection past the tokens that the chain has. */
const countMints = async (
  tx: Transaction,
  chain: ChainPort,
  collection: typeof collections.$inferSelect,
  mints: readonly FoundMint[],
): Promise<void> => {
  const counted = await listCounted(tx, chain, collection)
  const news = mints.filter(({ reference }) => !counted.has(reference))
  const { projectId, id } = collection
  const next = mints.reduce(
    (last, { tokenId }) => (tokenId >= last ? tokenId + 1n : last),
    collection.nextTokenId,
  )
  await tx
    .update(collections)
    .set({
      allocatedCount: sql`${collections.allocatedCount} + ${news.length}`,
      nextTokenId: sql`greatest(${collections.nextTokenId}, ${next})`,
    })
    .where(and(eq(collections.projectId, projectId), eq(collections.id, id)))
  const isOfIt = and(eq(templates.projectId, projectId), eq(templates.collectionId, id))
  for (const template of await tx.select().from(templates).where(isOfIt)) {
    const revisions = Array.from({ length: template.limitRevision + 1 }, (_, limitRevision) => limitRevision)
    const keys = revisions.flatMap((limitRevision) =>
      chain.restore.referencesOf(contractTemplate({ ...template, limitRevision }).key),
    )
    const count = news.filter((mint) => mint.template !== undefined && keys.includes(mint.template)).length
    if (!count) continue
    await tx
      .update(templates)
      .set({ allocatedCount: sql`${templates.allocatedCount} + ${count}` })
      .where(and(isOfIt, eq(templates.id, template.id)))
  }
}

/** Stores what was found. Returns the references of what was not stored before. */
const store = async (tx: Transaction, { chain, writes, others }: Missing): Promise<ReadonlySet<string>> => {
  const rows = [
    ...writes.map((write) => {
      const { kind, reference, txId, recipient } = write
      const known = { chain, kind, reference, txId, recipient }
      if (write.kind === 'mint') {
        return { ...known, contractAddress: write.contractAddress, tokenId: write.tokenId }
      }
      const { orderReference, currency, units } = write
      return { ...known, orderReference, currency, units: `${units}` }
    }),
    ...others.map((txId) => ({ chain, kind: 'other' as const, reference: txId, txId })),
  ]
  if (!rows.length) return new Set()
  const { reference } = adoptedWrites
  const added = await tx.insert(adoptedWrites).values(rows).onConflictDoNothing().returning({ reference })
  return new Set(added.map((row) => row.reference))
}

/**
 * Takes what the operator's key has written into the database: payouts, so that none is made again and the books
 * agree; mints, so that no token id is given out twice and each paid order gets the token that was minted for it.
 */
export const adoptMissing = async (
  { db, chains, jobs }: RestoreDeps & Pick<Deps, 'jobs'>,
  missing: Missing,
): Promise<void> => {
  const chain = chains.get(missing.chain)
  if (!chain) return
  await db.transaction(async (tx) => {
    const added = await store(tx, missing)
    const writes = missing.writes.filter(({ reference }) => added.has(reference))
    const mints = writes.filter((write) => write.kind === 'mint')
    const onChain = await tx
      .select()
      .from(collections)
      .where(eq(collections.chain, missing.chain))
      .for('update')
    for (const collection of onChain) {
      const address = chain.collectionAddress(toCollectionRef(collection))
      const own = mints.filter(({ contractAddress }) => contractAddress === address)
      if (own.length) await countMints(tx, chain, collection, own)
    }
    for (const { kind, reference } of writes) {
      if (kind !== 'pay-out') continue
      await jobs.enqueue(tx, 'orders.adoptRefund', { chain: missing.chain, reference, attempt: 1 })
    }
    await chain.restore.accept(tx, missing)
  })
}
