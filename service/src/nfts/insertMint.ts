import { startAction } from '../actions/actions.js'
import { allocateTokens, type Supply, type SupplyShortage } from '../collections/allocateTokens.js'
import { countAvailable, type LimitedSupply } from '../collections/countAvailable.js'
import type { Collection } from '../collections/viewCollection.js'
import { describeCollection } from '../collections/viewCollection.js'
import type { Transaction } from '../db/database.js'
import { nfts } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { createUuid } from '../lib/uuid.js'
import { requireTemplate } from '../templates/findTemplate.js'
import { type NftId, type NftRow, nftPath } from './findNft.js'
import type { MintOwner } from './readMintRecipient.js'
import type { StoredMetadata } from './storeMetadata.js'
import { toWholeSeconds } from './wholeSeconds.js'

const assertOne = async (tx: Transaction, what: string, supply: LimitedSupply): Promise<void> => {
  const { supplyLimit, allocatedCount } = supply
  // If nothing at all is left, the code that assigns tokens reports it.
  if (supplyLimit === null || allocatedCount >= supplyLimit) return
  if ((await countAvailable(tx, supply)) !== 0) return
  const message = `${what} is sold out: what is left of its supply limit of ${supplyLimit} belongs to orders that are paid`
  throw new ServiceError('conflict', message)
}

/**
 * Refuses a mint from the supply that buyers have paid for and not received yet. The caller holds the
 * collection's lock.
 *
 * @throws {@link ServiceError} `not-found` for the template, `conflict`.
 */
const assertNotReserved = async (
  tx: Transaction,
  collection: Collection,
  templateId: string | undefined,
): Promise<void> => {
  const { id: collectionId } = collection
  await assertOne(tx, `Collection ${collectionId}`, { ...collection, collectionId })
  if (templateId === undefined) return
  // It may have been deleted since the caller's request was read.
  const template = await requireTemplate(tx, collection, templateId)
  await assertOne(tx, `Template ${templateId}`, { ...template, templateId })
}

/** Returns the error of a mint when nothing is left. */
const soldOut = ({ collection, templateId }: Supply, { isShort, limit }: SupplyShortage): ServiceError => {
  const what = isShort === 'collection' ? `Collection ${collection.id}` : `Template ${templateId}`
  const tokens = limit === 1 ? 'the one token' : `all ${limit} tokens`
  return new ServiceError(
    'conflict',
    `${what} is sold out: ${tokens} of its supply limit ${limit === 1 ? 'is' : 'are'} minted`,
  )
}

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
  await assertNotReserved(tx, collection, templateId)
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
