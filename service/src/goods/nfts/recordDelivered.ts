import { createHash } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import type { NftMetadata } from 'kassa/schema'
import { beforeCommit } from '#base/db/commitTasks.js'
import type { Transaction } from '#base/db/database.js'
import { nfts } from '#base/db/tables/index.js'
import { createInsert } from '#base/db/writeRows.js'
import type { Deps } from '#base/deps.js'
import { formatUuid } from '#base/lib/uuid.js'
import type { WalletResult } from '#base/ports/write.js'
import { finishAction } from '../actions/actions.js'

/** The delivered tokens of one line item. */
export type DeliveredTokens = {
  projectId: string
  collectionId: string
  orderId: string
  lineItemIndex: number
  templateId?: string | undefined
  /** The id of the template in the interface, if it is no UUID. */
  templateName?: string | null | undefined
  /** In the order in which they were minted. */
  tokens: readonly { tokenId: string; metadata: NftMetadata; uri: string; txId: string }[]
  owner: string
  locale: string
  /** When a subscription ends. */
  expiresAtMs?: number | undefined
  nowMs: number
}

const idOf = (
  { orderId, lineItemIndex }: Pick<DeliveredTokens, 'orderId' | 'lineItemIndex'>,
  index: number,
): string =>
  formatUuid(createHash('sha256').update(`${orderId}:${lineItemIndex}:${index}`).digest().subarray(0, 16))

const insertNfts = createInsert(
  nfts,
  [
    'projectId',
    'collectionId',
    'id',
    'status',
    'tokenId',
    'templateId',
    'templateName',
    'owner',
    'metadata',
    'uri',
    'locale',
    'hasNotification',
    'expiresAt',
    'txId',
    'orderId',
    'createdAt',
  ],
  'nothing',
)

/** Adds an order's delivered tokens to its collection's list. Repeating it changes nothing. */
export const recordDelivered = async (tx: Transaction, delivered: DeliveredTokens): Promise<void> => {
  const { projectId, collectionId, tokens, owner, locale, expiresAtMs } = delivered
  const { templateId = null, templateName = null } = delivered
  if (!tokens.length) return
  const rows = tokens.map(({ tokenId, metadata, uri, txId }, index) => ({
    projectId,
    collectionId,
    id: idOf(delivered, index),
    status: 'success' as const,
    tokenId: BigInt(tokenId),
    templateId,
    templateName,
    owner,
    metadata,
    uri,
    locale,
    hasNotification: false,
    expiresAt: expiresAtMs === undefined ? null : new Date(expiresAtMs),
    txId,
    orderId: delivered.orderId,
    createdAt: new Date(delivered.nowMs),
  }))
  await beforeCommit(tx, insertNfts, ...rows)
}

/** Where an order's delivered tokens stand in their collection's list. */
type DeliveredPlace = Pick<DeliveredTokens, 'projectId' | 'collectionId' | 'orderId' | 'lineItemIndex'>

const isIn = ({ projectId, collectionId }: DeliveredPlace) =>
  and(eq(nfts.projectId, projectId), eq(nfts.collectionId, collectionId))

/** Removes an order's tokens from its collection's list: the chain has taken them back. */
export const forgetDelivered = async (
  tx: Transaction,
  place: DeliveredPlace,
  count: number,
): Promise<void> => {
  const ids = Array.from({ length: count }, (_, index) => idOf(place, index))
  await tx.delete(nfts).where(and(isIn(place), inArray(nfts.id, ids)))
}

/** Records that another transaction minted an order's tokens than the one that was recorded. */
export const moveDelivered = async (
  tx: Transaction,
  place: DeliveredPlace & { fromTxId: string; txId: string },
): Promise<void> => {
  const { orderId, fromTxId, txId } = place
  await tx
    .update(nfts)
    .set({ txId })
    .where(and(isIn(place), eq(nfts.orderId, orderId), eq(nfts.txId, fromTxId)))
}

/**
 * Records the end of a burn, if the transaction was one. After a failed burn, the token can be burned again.
 *
 * @param id - The id of the wallet's transaction, which the action of a burn shares.
 */
export const recordBurn = async (
  deps: Deps,
  tx: Transaction,
  { id, result }: { id: string; result: WalletResult },
): Promise<void> => {
  const isBurned = result.status === 'success'
  const change = isBurned ? { status: 'burned' as const } : { burnActionId: null }
  const [nft] = await tx.update(nfts).set(change).where(eq(nfts.burnActionId, id)).returning()
  if (!nft) return
  if (isBurned) return finishAction(deps, tx, id, { status: 'succeeded', data: { txId: result.txId } })
  const { reason, message, revert } = result.error
  const error = { reason, message, ...(revert && { revertReason: revert.reason }) }
  const { txId } = result
  const data = { error, ...(txId !== undefined && { txId }) }
  return finishAction(deps, tx, id, { status: 'failed', data })
}
