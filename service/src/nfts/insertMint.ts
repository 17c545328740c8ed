import { startAction } from '../actions/startAction.js'
import { allocateTokens } from '../collections/allocateTokens.js'
import { describeCollection } from '../collections/describeCollection.js'
import type { Collection } from '../collections/findCollection.js'
import type { Transaction } from '../db/database.js'
import { nfts } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { createUuid } from '../lib/createUuid.js'
import { assertUnspoken } from './assertUnspoken.js'
import { type NftId, type NftRow, nftPath } from './findNft.js'
import type { MintOwner } from './readMintRecipient.js'
import { soldOut } from './soldOut.js'
import type { StoredMetadata } from './storeMetadata.js'
import { toWholeSeconds } from './wholeSeconds.js'

/** A requested token, once all about it has been read. */
export type MintTerms = StoredMetadata & {
  nft: NftId
  templateId: string | undefined
  /** As the caller wrote it. */
  recipient: string
  owner: MintOwner
  /** Finds the recipient's address, and inserts the wallet of a user without one. */
  findAddress(tx: Transaction): Promise<string>
  locale: string
  hasNotification: boolean
  requestHash: string
}

const dayMs = 24 * 60 * 60_000

/**
 * Inserts a token to mint and its action, and takes it from the supply. The token is new, or its mint has
 * failed. The caller holds the collection's lock.
 *
 * @throws {@link ServiceError} `not-found` for the template, `conflict` if nothing is left.
 */
export const insertMint = async (
  deps: Deps,
  tx: Transaction,
  collection: Collection,
  terms: MintTerms,
): Promise<NftRow> => {
  const { nft, templateId, metadata, uri, recipient, locale, hasNotification, requestHash } = terms
  const supply = { collection, templateId }
  await assertUnspoken(tx, collection, templateId)
  const allocated = await allocateTokens(tx, supply, 1)
  if ('isShort' in allocated) throw soldOut(supply, allocated)
  const owner = await terms.findAddress(tx)
  const actionId = createUuid(deps.randomBytes)
  const nowMs = deps.now()
  const endsAtMs = nowMs + deps.config.subscriptionDays * dayMs
  const expiresAt = collection.isSubscription ? toWholeSeconds(endsAtMs) : null
  const tokenId = BigInt(allocated.tokenIds[0] ?? 0)
  // A token whose mint has failed keeps its id: if an earlier attempt lands after all, the contract refuses
  // this one.
  const values = {
    ...nft,
    status: 'pending' as const,
    templateId: templateId ?? null,
    ...{ recipient, owner, metadata, uri, locale, hasNotification, expiresAt, requestHash, actionId },
    // The batch that was refused is over.
    batchId: null,
    createdAt: new Date(nowMs),
  }
  const [row] = await tx
    .insert(nfts)
    .values({ ...values, tokenId })
    .onConflictDoUpdate({ target: [nfts.projectId, nfts.collectionId, nfts.id], set: values })
    .returning()
  if (!row) throw new Error(`the token ${nft.id} was not written`)
  const email = 'email' in terms.owner ? terms.owner.email : undefined
  await startAction(deps, tx, {
    id: actionId,
    projectId: nft.projectId,
    action: 'nfts.create',
    data: {
      ...describeCollection(deps, collection),
      recipient: { walletAddress: owner, ...(email !== undefined && { email }) },
      token: { id: nft.id },
    },
    resource: nftPath(nft),
  })
  return row
}
