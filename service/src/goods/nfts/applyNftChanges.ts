import type { Transaction } from '#base/db/database.js'
import { nfts } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { createUuid } from '#base/lib/uuid.js'
import { type ActionInput, recordUnchanged, startAction } from '../actions/actions.js'
import type { Collection } from '../collections/viewCollection.js'
import { describeCollection } from '../collections/viewCollection.js'
import { describeNft, isNft, type NftRow, nftPath } from './findNft.js'
import type { StoredMetadata } from './storeMetadata.js'

/** The changes of a token, once all of them have been read. */
export type NftChanges = { content: StoredMetadata | undefined; expiresAt: Date | undefined }

const writeChanges = async (
  tx: Transaction,
  nft: NftRow,
  { content, expiresAt }: NftChanges,
): Promise<{ changed: NftRow; changes: string[] }> => {
  // A change that the chain refused or has not accepted yet differs there, and is sent again under the next
  // revision.
  const isBehind = nft.revision > nft.chainRevision
  const isShown = content !== undefined && (isBehind || content.uri !== nft.uri)
  const isRenewed = expiresAt !== undefined && (isBehind || expiresAt.getTime() !== nft.expiresAt?.getTime())
  const changes = [...(isShown ? ['metadata'] : []), ...(isRenewed ? ['subscription'] : [])]
  if (!changes.length) return { changed: nft, changes }
  const revision = nft.revision + 1
  const renewal = isRenewed && { expiresAt, renewalRevision: revision }
  const [changed] = await tx
    .update(nfts)
    .set({ ...(isShown && content), ...renewal, revision })
    .where(isNft(nft))
    .returning()
  if (!changed) throw new Error(`the token ${nft.id} is gone`)
  return { changed, changes }
}

/**
 * Writes the changes of a locked token, and the action that takes them to the chain. If nothing differs, in
 * the database or on chain, the action has succeeded already, without an event.
 */
export const applyNftChanges = async (
  deps: Deps,
  tx: Transaction,
  { collection, nft, asked }: { collection: Collection; nft: NftRow; asked: NftChanges },
): Promise<{ changed: NftRow; actionId: string }> => {
  const { changed, changes } = await writeChanges(tx, nft, asked)
  const actionId = createUuid(deps.randomBytes)
  const action: ActionInput = {
    id: actionId,
    projectId: nft.projectId,
    action: 'nfts.update',
    data: { ...describeCollection(deps, collection), token: describeNft(deps, collection, changed), changes },
    resource: nftPath(nft),
  }
  if (changes.length) {
    await startAction(deps, tx, action)
    await deps.jobs.enqueue(tx, 'nfts.update', { actionId, attempt: 1 })
  } else await recordUnchanged(deps, tx, action)
  return { changed, actionId }
}
