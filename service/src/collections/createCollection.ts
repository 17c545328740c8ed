import type { Collection as CollectionView, CreateCollectionBody } from 'kassa/schema'
import { startAction } from '../actions/startAction.js'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import { createUuid } from '../createUuid.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { reuploadFile } from '../files/reuploadFile.js'
import { hashRequest } from '../hashRequest.js'
import { collectionPath, describeCollection } from './describeCollection.js'
import { type Collection, findCollection } from './findCollection.js'
import { insertCollection } from './insertCollection.js'
import { readNewCollection } from './readNewCollection.js'
import { viewCollection } from './viewCollection.js'

const answerAgain = (deps: Deps, known: Collection, requestHash: string): CollectionView => {
  if (known.requestHash === requestHash) return viewCollection(deps, known)
  throw new ServiceError('conflict', `collectionId: ${known.id} is taken by another collection`)
}

/**
 * Creates a collection under an id; its contract follows. Asked for again in the same words, however often and at
 * the same moment, it is the one collection, with the action of its creation.
 *
 * @throws {@link ServiceError} `forbidden`, `input-invalid`, `conflict`.
 * @source interface.md "Create collection (idempotent)"
 */
export const createCollection = async (
  deps: Deps,
  call: Call,
  { collectionId: id, body }: { collectionId: string; body: CreateCollectionBody },
): Promise<CollectionView> => {
  requireServerScope(call.actor, 'collections.create')

  const { projectId } = call.actor
  const terms = readNewCollection(deps, body)
  const requestHash = hashRequest(body)
  const known = await findCollection(deps.db, projectId, id)
  if (known) return answerAgain(deps, known, requestHash)

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
      return answerAgain(deps, winner, requestHash)
    }
    const data = describeCollection(deps, collection)
    const resource = collectionPath(collection)
    await startAction(deps, tx, { id: actionId, projectId, action: 'collections.create', data, resource })
    await deps.jobs.enqueue(tx, 'collections.create', { projectId, collectionId: id, actionId, attempt: 1 })
    const answer = viewCollection(deps, collection)
    await call.complete(tx, { status: 200, body: answer })
    return answer
  })
}
