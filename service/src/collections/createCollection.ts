import {
  type Collection as CollectionView,
  type CreateCollectionBody,
  evmChains,
  isEvmChainName,
} from 'kassa/schema'
import { requireServerScope } from '../authorize.js'
import type { Call } from '../call.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { reuploadFile } from '../files/reuploadFile.js'
import { createUuid } from '../lib/createUuid.js'
import { hashRequest } from '../lib/hashRequest.js'
import { type Collection, findCollection } from './findCollection.js'
import { insertCollection } from './insertCollection.js'
import { readNewCollection } from './readNewCollection.js'
import { recreateCollection } from './recreateCollection.js'
import { startCreation } from './startCreation.js'
import { viewCollection } from './viewCollection.js'

/** What tells one request for a collection from another: the same for the same meaning, defaults said or not. */
const hashCollection = (body: CreateCollectionBody): string => {
  const { chain, payments, subscription } = body
  const isSubscription = subscription?.enabled ?? false
  const native = isEvmChainName(chain) ? evmChains[chain].nativeCurrency : undefined
  const currency = (payments?.currency ?? native)?.toLowerCase()
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
  deps: Deps,
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
  const terms = readNewCollection(deps, body)

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
    await startCreation(deps, tx, collection, actionId)
    const answer = viewCollection(deps, collection)
    await call.complete(tx, { status: 200, body: answer })
    return answer
  })
}
