import { createHash } from 'node:crypto'
import type { NftMetadata } from 'kassa/schema'
import type { Transaction } from '../db/database.js'
import { nfts } from '../db/tables/index.js'
import { formatUuid } from '../lib/uuid.js'

/** The delivered tokens of one line item. */
export type DeliveredTokens = {
  projectId: string
  collectionId: string
  orderId: string
  lineItemIndex: number
  templateId?: string | undefined
  /** In the order in which they were minted. */
  tokens: readonly { tokenId: string; metadata: NftMetadata; uri: string; txId: string }[]
  owner: string
  locale: string
  /** When a subscription ends. */
  expiresAtMs?: number | undefined
  nowMs: number
}

const idOf = ({ orderId, lineItemIndex }: DeliveredTokens, index: number): string =>
  formatUuid(createHash('sha256').update(`${orderId}:${lineItemIndex}:${index}`).digest().subarray(0, 16))

/** Adds an order's delivered tokens to its collection's list. Repeating it changes nothing. */
export const recordDelivered = async (tx: Transaction, delivered: DeliveredTokens): Promise<void> => {
  const { projectId, collectionId, templateId, tokens, owner, locale, expiresAtMs } = delivered
  if (!tokens.length) return
  const rows = tokens.map(({ tokenId, metadata, uri, txId }, index) => ({
    projectId,
    collectionId,
    id: idOf(delivered, index),
    status: 'success' as const,
    tokenId: BigInt(tokenId),
    templateId: templateId ?? null,
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
  await tx.insert(nfts).values(rows).onConflictDoNothing()
}
