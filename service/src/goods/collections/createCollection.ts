import { and, eq } from 'drizzle-orm'
import { explainDisabled, nativeCurrencyOf } from 'kassa/engine'
import type { Collection as CollectionView, CreateCollectionBody } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Database, Transaction } from '#base/db/database.js'
import { actions, collections } from '#base/db/tables/index.js'
import type { CollectionDeps, Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { hashRequest } from '#base/lib/hashRequest.js'
import { createUuid } from '#base/lib/uuid.js'
import { requireServerScope } from '#identity/authorize.js'
import { startAction } from '../actions/actions.js'
import { reuploadFile } from '../files/linkedFiles.js'
import { lockCollection } from './allocateTokens.js'
import { insertAllowLists, type NewAllowList, readPhases } from './allowLists.js'
import { featuresOf } from './features.js'
import { findCollection, requireChain } from './findCollection.js'
import { insertCollection, type NewCollection } from './insertCollection.js'
import { readPayments } from './readPayments.js'
import type { Collection } from './viewCollection.js'
import { collectionPath, describeCollection, viewCollection } from './viewCollection.js'

const findFaults = ({ chain, fungibility, transferable, subscription }: CreateCollectionBody): string[] => {
  const { isSemiFungible, hasSubscriptions } = featuresOf(chain)
  const isMany = fungibility === 'semi-fungible'
  const faults: string[] = []
  if (isMany && !isSemiFungible) {
    faults.push('fungibility: semi-fungible is for EVM chains and Solana')
  }
  if (subscription?.enabled) {
    if (!hasSubscriptions) faults.push('subscription.enabled: subscriptions are for EVM chains')
    if (isMany) faults.push('subscription.enabled: a semi-fungible collection has no subscriptions')
    if (transferable) faults.push('transferable: must be false for a subscription')
  }
  return faults
}

/**
 * Reads what a merchant says of a new collection, but for the files that it links to.
 *
 * @throws {@link ServiceError} `input-invalid`, naming every field that is wrong.
 * @source interface.md "Collection"
 */
const readNewCollection = (
  deps: Pick<Deps, 'chains' | 'config' | 'randomBytes'>,
  body: CreateCollectionBody,
): Omit<NewCollection, 'projectId' | 'id'> & { lists: NewAllowList[] } => {
  const { chain, metadata, fungibility, transferable, supplyLimit, subscription, sale } = body
  const faults = findFaults(body)
  const port = deps.chains.get(chain)
  if (!port) faults.unshift(`chain: ${explainDisabled(chain, deps.chains.enabled)}`)
  const payments = port && body.payments && readPayments(deps, { chain: port, faults }, body.payments)
  const read = port && sale?.phases && readPhases(deps, { chain: port, faults }, sale.phases)
  if (faults.length) throw new ServiceError('input-invalid', faults.join('; '))
  const isSubscription = subscription?.enabled ?? false
  return {
    chain,
    ...metadata,
    fungibility,
    isTransferable: transferable ?? !isSubscription,
    isSubscription,
    supplyLimit,
    payments,
    sale: sale && { ...sale, phases: read?.phases },
    lists: read?.lists ?? [],
  }
}

const hasFailed = async (db: Database | Transaction, { actionId }: Collection): Promise<boolean> => {
  if (actionId === null) return false
  const isFailed = and(eq(actions.id, actionId), eq(actions.status, 'failed'))
  return (await db.select({ id: actions.id }).from(actions).where(isFailed)).length > 0
}

/**
 * Returns the existing collection. If its creation failed, starts it again under a new action.
 *
 * @throws {@link ServiceError} `input-invalid` where its chain is no longer enabled.
 */
const recreateCollection = async (
  deps: CollectionDeps,
  call: Call,
  known: Collection,
): Promise<CollectionView> => {
  if (!(await hasFailed(deps.db, known))) return viewCollection(deps, known)
  requireChain(deps, known)
  const actionId = createUuid(deps.randomBytes)
  return deps.db.transaction(async (tx) => {
    const before = await lockCollection(tx, known)
    if (!before) throw new Error(`the collection ${known.id} is gone`)
    // Of several at once, the first has begun anew.
    const isAnew = await hasFailed(tx, before)
    const collection = isAnew ? { ...before, actionId } : before
    if (isAnew) {
      const isThis = and(eq(collections.projectId, known.projectId), eq(collections.id, known.id))
      await tx.update(collections).set({ actionId }).where(isThis)
      await startCreation(deps, tx, collection, actionId)
    }
    const answer = viewCollection(deps, collection)
    await call.complete(tx, { status: 200, body: answer })
    return answer
  })
}

/** What tells one request for a collection from another: the same for the same meaning, defaults said or not. */
const hashCollection = (body: CreateCollectionBody): string => {
  const { chain, payments, subscription } = body
  const isSubscription = subscription?.enabled ?? false
  const currency = (payments?.currency ?? nativeCurrencyOf(chain))?.toLowerCase()
  const { royaltyBasisPoints, requires, ...price } = payments ?? {}
  return hashRequest({
    fungibility: 'non-fungible',
    transferable: !isSubscription,
    reuploadLinkedFiles: true,
    ...body,
    metadata: { symbol: 'TOKEN', ...body.metadata },
    subscription: { enabled: isSubscription },
    ...(payments && {
      payments: {
        ...price,
        currency,
        ...(royaltyBasisPoints && { royaltyBasisPoints }),
        ...(requires?.length && { requires: [...new Set(requires)].sort() }),
      },
    }),
  })
}

const assertSame = ({ id, requestHash }: Collection, asked: string): void => {
  if (requestHash === asked) return
  throw new ServiceError('conflict', `collectionId: ${id} exists with other content`)
}

/**
 * Creates a collection under an id; its contract follows. Asked for again in the same sense, however often and at
 * the same moment, it is the one collection, as it is now; where its creation has failed, it begins anew.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `conflict`.
 * @source interface.md "Create collection (idempotent)"
 */
export const createCollection = async (
  deps: CollectionDeps,
  call: Call,
  { collectionId: id, body }: { collectionId: string; body: CreateCollectionBody },
): Promise<CollectionView> => {
  requireServerScope(call.actor, 'collections.create')

  const { projectId } = call.actor
  const requestHash = hashCollection(body)
  // What there is was looked at when it came to be: the deployment may have changed since.
  const known = await findCollection(deps.db, projectId, id)
  if (known) {
    assertSame(known, requestHash)
    return recreateCollection(deps, call, known)
  }
  const { lists, ...terms } = readNewCollection(deps, body)

  const { imageUrl: url } = body.metadata
  const isCopied = url !== undefined && body.reuploadLinkedFiles !== false
  const imageUrl = isCopied ? await reuploadFile(deps, 'metadata.imageUrl', url) : url

  const actionId = createUuid(deps.randomBytes)
  return deps.db.transaction(async (tx) => {
    const links = imageUrl === undefined ? {} : { imageUrl }
    const request = { requestHash, actionId }
    const collection = await insertCollection(tx, { ...terms, ...links, projectId, id, request }, deps.now())
    if (!collection) {
      const winner = await findCollection(tx, projectId, id)
      if (!winner) throw new Error(`the collection ${id} was not created`)
      assertSame(winner, requestHash)
      return viewCollection(deps, winner)
    }
    await insertAllowLists(tx, lists)
    await startCreation(deps, tx, collection, actionId)
    const answer = viewCollection(deps, collection)
    await call.complete(tx, { status: 200, body: answer })
    return answer
  })
}

/** Has a collection's contract put on its chain, and starts the action that follows it. */
const startCreation = async (
  deps: Pick<Deps, 'chains' | 'jobs' | 'now'>,
  tx: Transaction,
  collection: Collection,
  actionId: string,
): Promise<void> => {
  const { projectId, id: collectionId } = collection
  const data = describeCollection(deps, collection)
  const resource = collectionPath(collection)
  await startAction(deps, tx, { id: actionId, projectId, action: 'collections.create', data, resource })
  await deps.jobs.enqueue(tx, 'collections.create', { projectId, collectionId, actionId, attempt: 1 })
}
