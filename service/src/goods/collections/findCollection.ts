import { desc, eq, sql } from 'drizzle-orm'
import { clip, explainDisabled } from 'kassa/engine'
import { type CollectionList, type Collection as CollectionView, fields } from 'kassa/schema'
import * as z from 'zod/mini'
import type { Call } from '#base/call.js'
import { cacheRows } from '#base/db/cacheRows.js'
import { createStatement } from '#base/db/createStatement.js'
import type { Database, Transaction } from '#base/db/database.js'
import type { Notices } from '#base/db/notices.js'
import { collections } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { createBatch } from '#base/lib/createBatch.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { CollectionRef } from '#base/ports/collections.js'
import { requireServerScope } from '#identity/authorize.js'
import type { Collection } from './viewCollection.js'
import { toCollectionRef, viewCollection } from './viewCollection.js'

const readRows = createStatement('collections_read', (db) => {
  const { projectId, id } = collections
  const isAsked = sql`${projectId} = any(${sql.placeholder('projectIds')}) and ${id} = any(${sql.placeholder('ids')})`
  return db.select().from(collections).where(isAsked)
})

type CollectionKey = Pick<Collection, 'projectId' | 'id'>

const readers = new WeakMap<
  Database | Transaction,
  (asked: CollectionKey) => Promise<Collection | undefined>
>()

/** Reads a collection. Those that are asked for at about the same time are read with one statement. */
const readCollection = (db: Database | Transaction, key: CollectionKey): Promise<Collection | undefined> => {
  const createReader = () =>
    createBatch(async (asked: readonly CollectionKey[]) => {
      const rows = await readRows(db, {
        projectIds: [...new Set(asked.map(({ projectId }) => projectId))],
        ids: [...new Set(asked.map(({ id }) => id))],
      })
      return asked.map(({ projectId, id }) =>
        rows.find((row) => row.projectId === projectId && row.id === id),
      )
    })
  const read = readers.get(db) ?? createReader()
  readers.set(db, read)
  return read(key)
}

/** A project's collection of this id, if there is one. */
export const findCollection = async (
  db: Database | Transaction,
  projectId: string,
  id: string,
): Promise<Collection | undefined> => {
  // No collection has such an id, and some of them the database would refuse to look for.
  if (!z.safeParse(fields.ChosenId, id).success) return undefined
  return readCollection(db, { projectId, id })
}

/** Lists the collections of a chain, as the chain knows them. */
export const listCollectionRefs = async (db: Database, chain: string): Promise<CollectionRef[]> =>
  (await db.select().from(collections).where(eq(collections.chain, chain))).map(toCollectionRef)

/** What a merchant says of a collection. What changes with each mint and each write to the chain is left out. */
export type MerchantTerms = Omit<
  Collection,
  | 'allocatedCount'
  | 'reservedCount'
  | 'nextTokenId'
  | 'isGathering'
  | 'revision'
  | 'chainRevision'
  | 'contractUri'
  | 'contractTxId'
>

const cached = new WeakMap<Notices, ReturnType<typeof cacheRows<Collection | undefined>>>()

/**
 * Finds a merchant's terms of a collection, in memory until a process changes some. Another process may use the old
 * ones until it has the notice.
 */
export const findMerchantTerms = (
  deps: Pick<Deps, 'db' | 'notices' | 'log' | 'now'>,
  projectId: string,
  id: string,
): Promise<MerchantTerms | undefined> => {
  const read = cached.get(deps.notices) ?? cacheRows<Collection | undefined>(deps, 'collections')
  cached.set(deps.notices, read)
  return read(`${projectId} ${id}`, () => findCollection(deps.db, projectId, id))
}

/**
 * The chain of a collection that is about to change it.
 *
 * @throws {@link ServiceError} `input-invalid` where this deployment does not have it.
 */
export const requireChain = (deps: Pick<Deps, 'chains'>, { id, chain }: Collection): ChainPort => {
  const port = deps.chains.get(chain)
  if (port) return port
  throw new ServiceError(
    'input-invalid',
    `collectionId: ${id} is on ${chain}; ${explainDisabled(chain, deps.chains.enabled)}`,
  )
}

/**
 * A project's collection of this id.
 *
 * @throws {@link ServiceError} `not-found`, for another project's too.
 */
export const requireCollection = async (
  db: Database | Transaction,
  projectId: string,
  id: string,
): Promise<Collection> => {
  const collection = await findCollection(db, projectId, id)
  if (!collection) throw new ServiceError('not-found', `Collection ${clip(id)} not found`)
  return collection
}

/**
 * Reads a collection.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`.
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const getCollection = async (
  deps: Pick<Deps, 'chains' | 'db'>,
  call: Call,
  { collectionId }: { collectionId: string },
): Promise<CollectionView> => {
  requireServerScope(call.actor, 'collections.read')
  return viewCollection(deps, await requireCollection(deps.db, call.actor.projectId, collectionId))
}

/**
 * Lists a project's collections, newest first.
 *
 * @throws {@link ServiceError} `forbidden`.
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const listCollections = async (
  deps: Pick<Deps, 'chains' | 'db'>,
  call: Call,
  { page, perPage }: { page: number; perPage: number },
): Promise<CollectionList> => {
  requireServerScope(call.actor, 'collections.read')
  const rows = await deps.db
    .select()
    .from(collections)
    .where(eq(collections.projectId, call.actor.projectId))
    .orderBy(desc(collections.createdAt), desc(collections.id))
    .limit(perPage)
    .offset((page - 1) * perPage)
  return { results: rows.map((row) => viewCollection(deps, row)) }
}
