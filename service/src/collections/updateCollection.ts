import { and, eq } from 'drizzle-orm'
import type { Collection as CollectionView, UpdateCollectionBody } from 'kassa/schema'
import { finishAction } from '../actions/finishAction.js'
import { startAction } from '../actions/startAction.js'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import { createUuid } from '../createUuid.js'
import type { Transaction } from '../db/database.js'
import { collections } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { reuploadFile } from '../files/reuploadFile.js'
import { lockCollection } from './allocateTokens.js'
import { type CollectionChange, changeCollection } from './changeCollection.js'
import { countReserved } from './countAvailable.js'
import { collectionPath, describeCollection } from './describeCollection.js'
import type { Collection } from './findCollection.js'
import { readPayments } from './readPayments.js'
import { requireChain } from './requireChain.js'
import { requireCollection } from './requireCollection.js'
import { viewCollection } from './viewCollection.js'

const readChange = (deps: Deps, known: Collection, body: UpdateCollectionBody): CollectionChange => {
  const chain = requireChain(deps, known)
  const { metadata, supplyLimit, transferable, payments } = body
  const faults: string[] = []
  if (known.isSubscription && transferable) faults.push('transferable: must be false for a subscription')
  const read = payments && readPayments(deps, chain, payments, faults)
  if (faults.length) throw new ServiceError('input-invalid', faults.join('; '))
  return { metadata, supplyLimit, transferable, ...(payments !== undefined && { payments: read ?? null }) }
}

const copyFiles = async (
  deps: Deps,
  body: UpdateCollectionBody,
): Promise<UpdateCollectionBody['metadata']> => {
  const { metadata, reuploadLinkedFiles } = body
  if (metadata?.imageUrl === undefined || reuploadLinkedFiles === false) return metadata
  return { ...metadata, imageUrl: await reuploadFile(deps, 'metadata.imageUrl', metadata.imageUrl) }
}

const assertSupply = async (
  tx: Transaction,
  { projectId, id: collectionId, allocatedCount }: Collection,
  supplyLimit: number | null | undefined,
): Promise<void> => {
  if (supplyLimit == null) return
  const spoken = allocatedCount + (await countReserved(tx, { projectId, collectionId }))
  if (supplyLimit >= spoken) return
  const message = `supplyLimit: ${supplyLimit} is less than the ${spoken} tokens that are minted, being minted or paid for`
  throw new ServiceError('input-invalid', message)
}

/**
 * Changes a collection. What its contract knows follows on chain; what only the service knows is changed at once.
 * Where nothing differs, the action that is answered has succeeded and names no changes.
 *
 * @throws {@link ServiceError} `forbidden`, `not-found`, `input-invalid`.
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const updateCollection = async (
  deps: Deps,
  call: Call,
  { collectionId, body }: { collectionId: string; body: UpdateCollectionBody },
): Promise<CollectionView> => {
  requireServerScope(call.actor, 'collections.create')

  const { projectId } = call.actor
  const known = await requireCollection(deps.db, projectId, collectionId)
  const asked = readChange(deps, known, body)
  const change = { ...asked, metadata: await copyFiles(deps, body) }

  const actionId = createUuid(deps.randomBytes)
  return deps.db.transaction(async (tx) => {
    const before = await lockCollection(tx, known)
    if (!before) throw new Error(`the collection ${collectionId} is gone`)
    await assertSupply(tx, before, change.supplyLimit)
    const { columns, changes, isOnChain } = changeCollection(before, change)
    const after = { ...before, ...columns }
    if (changes.length) {
      await tx
        .update(collections)
        .set(columns)
        .where(and(eq(collections.projectId, projectId), eq(collections.id, before.id)))
    }
    const data = { ...describeCollection(deps, after), changes }
    const resource = collectionPath(after)
    await startAction(deps, tx, { id: actionId, projectId, action: 'collections.update', data, resource })
    if (isOnChain) await deps.jobs.enqueue(tx, 'collections.update', { actionId, attempt: 1 })
    else await finishAction(deps, tx, actionId, { status: 'succeeded', data: {} })
    const answer = viewCollection(deps, after, actionId)
    await call.complete(tx, { status: 200, body: answer })
    return answer
  })
}
