import type { Transaction } from '#base/db/database.js'
import { nfts } from '#base/db/tables/index.js'
import { createInsert } from '#base/db/writeRows.js'
import type { CollectionDeps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { groupBy } from '#base/lib/groupBy.js'
import { createUuid } from '#base/lib/uuid.js'
import { type ActionInput, startActions } from '../actions/actions.js'
import { allocateLocked, lockCollection, type SupplyShortage } from '../collections/allocateTokens.js'
import { countAvailable, type LimitedSupply } from '../collections/countAvailable.js'
import type { Collection } from '../collections/viewCollection.js'
import { describeCollection } from '../collections/viewCollection.js'
import { requireTemplate, templateIdOf } from '../templates/findTemplate.js'
import { isNft, type NftId, type NftRow, nftPath } from './findNft.js'
import type { MintOwner } from './readMintRecipient.js'
import type { StoredMetadata } from './storeMetadata.js'
import { toWholeSeconds } from './wholeSeconds.js'

const assertAvailable = (what: string, supply: LimitedSupply, count: number): void => {
  const { supplyLimit, allocatedCount } = supply
  // If nothing at all is left, the code that assigns tokens reports it.
  if (supplyLimit === null || allocatedCount >= supplyLimit) return
  if ((countAvailable(supply) ?? count) >= count) return
  const message = `${what} is sold out: the rest of its supply limit of ${supplyLimit} belongs to paid orders`
  throw new ServiceError('conflict', message)
}

/**
 * Refuses mints from the supply that buyers have paid for and not received yet. The caller holds the
 * collection's lock.
 *
 * @throws {@link ServiceError} `not-found` for the template, `conflict`.
 */
const assertNotReserved = async (
  tx: Transaction,
  collection: Collection,
  { templateId, count }: { templateId: string | undefined; count: number },
): Promise<void> => {
  assertAvailable(`Collection ${collection.id}`, collection, count)
  if (templateId === undefined) return
  // It may have been deleted since the caller's request was read.
  const template = await requireTemplate(tx, collection, templateId)
  assertAvailable(`Template ${templateIdOf(template)}`, template, count)
}

/** Returns the error of a mint when nothing is left. */
const soldOut = (
  { collectionId, templateId }: { collectionId: string; templateId: string | null | undefined },
  { isShort, limit }: SupplyShortage,
): ServiceError => {
  const what = isShort === 'collection' ? `Collection ${collectionId}` : `Template ${templateId}`
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
  /** The id of the template in the interface, if it is no UUID. */
  templateName: string | null
  /** As the caller wrote it. */
  recipient: string
  owner: MintOwner
  /** Finds the recipient's address, and inserts the wallet of a user without one. */
  findAddress(tx: Transaction): Promise<string>
  locale: string
  hasNotification: boolean
  requestHash: string
  isCompressed: boolean
  /** Whether a mint of this token has failed before. */
  isAgain: boolean
}

const dayMs = 24 * 60 * 60_000

/** What a token has before it is minted. */
const unminted = {
  revision: 0,
  renewalRevision: 0,
  chainRevision: 0,
  txId: null,
  orderId: null,
  burnActionId: null,
  mintHash: null,
} as const satisfies Partial<NftRow>

const insertNfts = createInsert(nfts, [
  'projectId',
  'collectionId',
  'id',
  'status',
  'tokenId',
  'templateId',
  'templateName',
  'recipient',
  'owner',
  'metadata',
  'uri',
  'locale',
  'hasNotification',
  'expiresAt',
  'requestHash',
  'actionId',
  'isCompressed',
  'createdAt',
])

/**
 * Takes token ids from the supply for mints of one template, or of none.
 *
 * @throws {@link ServiceError} `not-found` for the template, `conflict` if too few are left.
 */
const takeSupply = async (
  tx: Transaction,
  collection: Collection,
  { templateName, ...asked }: { templateId: string | undefined; templateName: string | null; count: number },
): Promise<bigint[]> => {
  await assertNotReserved(tx, collection, asked)
  const allocated = await allocateLocked(tx, collection, asked)
  if ('isShort' in allocated) {
    throw soldOut({ collectionId: collection.id, templateId: templateName ?? asked.templateId }, allocated)
  }
  return allocated.tokenIds.map(BigInt)
}

/**
 * Inserts tokens to mint and their actions, and takes them from the supply. Each token is new, or its mint has
 * failed. The caller holds the collection's lock.
 *
 * @returns The tokens, in the order of the terms.
 * @throws {@link ServiceError} `not-found` for the template, `conflict` if too few are left.
 */
export const insertMints = async (
  deps: CollectionDeps,
  tx: Transaction,
  collection: Collection,
  asked: readonly MintTerms[],
): Promise<NftRow[]> => {
  const nowMs = deps.now()
  const endsAtMs = nowMs + deps.config.subscriptionDays * dayMs
  const expiresAt = collection.isSubscription ? toWholeSeconds(endsAtMs) : null
  const tokenIds = new Map<string, bigint>()
  let locked = collection
  for (const [at, same] of [...groupBy(asked, ({ templateId }) => templateId ?? '').values()].entries()) {
    const [first] = same
    if (at > 0) locked = (await lockCollection(tx, collection)) ?? locked
    const { templateId, templateName = null } = first ?? {}
    const taken = await takeSupply(tx, locked, { templateId, templateName, count: same.length })
    for (const [index, { nft }] of same.entries()) tokenIds.set(nft.id, taken[index] ?? 0n)
  }
  const rows: NftRow[] = []
  const created: NftRow[] = []
  const started: ActionInput[] = []
  for (const terms of asked) {
    const { nft, templateId = null, templateName, metadata, uri, recipient, locale, hasNotification } = terms
    const { requestHash, isCompressed, isAgain } = terms
    const owner = await terms.findAddress(tx)
    const actionId = createUuid(deps.randomBytes)
    const values = {
      ...nft,
      status: 'pending' as const,
      templateId,
      templateName,
      recipient,
      owner,
      metadata,
      uri,
      locale,
      hasNotification,
      expiresAt,
      requestHash,
      actionId,
      isCompressed,
      // The batch that was refused is over.
      batchId: null,
      createdAt: new Date(nowMs),
    }
    // A token whose mint has failed keeps its id: if an earlier attempt lands after all, the contract refuses
    // this one.
    if (isAgain) rows.push(...(await tx.update(nfts).set(values).where(isNft(nft)).returning()))
    else created.push({ ...unminted, ...values, tokenId: tokenIds.get(nft.id) ?? 0n })
    const email = 'email' in terms.owner ? terms.owner.email : undefined
    started.push({
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
  }
  await insertNfts(tx, created)
  rows.push(...created)
  await startActions(deps, tx, started)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return asked.map(({ nft }) => {
    const row = byId.get(nft.id)
    if (!row) throw new Error(`the token ${nft.id} was not written`)
    return row
  })
}
