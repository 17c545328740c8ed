import { isDeepStrictEqual } from 'node:util'
import { isClaimed, isPaid, type MintedPart } from 'kassa/engine'
import type { Transaction } from '#base/db/database.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { TokenMint } from '#base/ports/collections.js'
import { attemptKey } from '#base/ports/write.js'
import { toCollectionRef } from '#goods/collections/viewCollection.js'
import type { DeliveredTokens } from '#goods/nfts/recordDelivered.js'
import { symbolOf } from '#goods/nfts/symbolOf.js'
import { toSeconds } from '#goods/nfts/wholeSeconds.js'
import { contractTemplate } from '#goods/templates/findTemplate.js'
import type { Delivery } from './findDelivery.js'
import { lockOrder } from './store.js'
import { updateOrder } from './updateOrder.js'

/** A token to mint, and its metadata. */
export type ItemToken = Omit<DeliveredTokens['tokens'][number], 'txId'>

/** The tokens of a line item to mint, and their recipient. */
export type ItemMint = {
  walletAddress: string
  tokens: readonly ItemToken[]
  /** When a subscription ends. */
  expiresAtMs?: number | undefined
}

/** The tokens of a line item, each with its transaction. */
export type MintedTokens = { status: 'succeeded'; tokens: DeliveredTokens['tokens']; txId: string }

/**
 * The tokens of a line item; or why the chain refuses more of them, and how many
 * it minted.
 */
export type MintedItem = MintedTokens | { status: 'failed'; reason: string; mintedCount: number }

/** Returns the key of the mint of one token of a line item. */
export const tokenMintKey = (orderId: string, lineItemIndex: number, index: number): string =>
  `mint:${orderId}:${lineItemIndex}:${index}`

const toMints = (
  { order, lineItemIndex, collection, template }: Delivery,
  { walletAddress, tokens, expiresAtMs }: ItemMint,
): TokenMint[] =>
  tokens.map(({ tokenId, metadata, uri }, index) => ({
    recipient: walletAddress,
    tokenId: BigInt(tokenId),
    name: metadata.name,
    symbol: symbolOf(metadata, collection),
    uri,
    mintKey: tokenMintKey(order.orderId, lineItemIndex, index),
    ...(template && { template: contractTemplate(template) }),
    ...(expiresAtMs !== undefined && { expiresAt: toSeconds(new Date(expiresAtMs)) }),
  }))

/** Returns the keys of a line item's first transaction for all attempts so far. */
export const firstMintKeys = (orderId: string, lineItemIndex: number, attempt = 1): string[] =>
  Array.from({ length: attempt }, (_, at) => attemptKey(`mint:${orderId}:${lineItemIndex}`, at + 1))

/**
 * Creates the check that refuses to sign for a line item that is no longer due. A reorganisation may remove
 * its payment while it waits to be signed.
 */
const createDueCheck = ({ order, lineItemIndex }: Delivery, { tokens }: ItemMint) => {
  const tokenIds = tokens.map(({ tokenId }) => tokenId)
  return async (tx: Transaction): Promise<void> => {
    const known = (await lockOrder(tx, order.orderId))?.order
    const delivery = known?.lineItems[lineItemIndex]?.delivery
    const isDue = known !== undefined && (isClaimed(known) || isPaid(known))
    const isMissing = delivery?.status === 'in-progress' || delivery?.isSettling === true
    if (isDue && isMissing && isDeepStrictEqual(delivery.tokenIds, tokenIds)) return
    throw new ServiceError(
      'conflict',
      `the line item ${lineItemIndex} of ${order.orderId} is not due any more`,
    )
  }
}

/** Says of each token which transaction minted it. */
const nameTransactions = ({ tokens }: ItemMint, parts: readonly MintedPart[]): MintedTokens => {
  const txIds = parts.flatMap(({ count, txId }) => new Array<string>(count).fill(txId))
  const txId = txIds.at(-1) ?? ''
  return {
    status: 'succeeded',
    txId,
    tokens: tokens.map((token, at) => ({ ...token, txId: txIds[at] ?? txId })),
  }
}

/**
 * Mints a line item, in as many transactions as its tokens need. Each one is final and recorded before the next is
 * sent, so that a partly minted line item is known as such.
 *
 * @param onLanded - Called with all tokens once the last transaction is in a block, which may still be replaced.
 * @throws {@link ServiceError} `conflict` if the line item is no longer due and was not sent.
 */
export const mintItem = async (
  deps: Deps,
  delivery: Delivery,
  goods: ItemMint,
  onLanded?: (minted: MintedTokens) => void,
): Promise<MintedItem> => {
  const { order, item, lineItemIndex, collection, chain, attempt } = delivery
  const mints = toMints(delivery, goods)
  const parts: MintedPart[] = [...(item.delivery.minted ?? [])]
  let first = parts.reduce((sum, { count }) => sum + count, 0)
  while (first < mints.length) {
    const part = parts.length ? `:${parts.length}` : ''
    const key = attemptKey(`mint:${order.orderId}:${lineItemIndex}${part}`, attempt)
    const ref = toCollectionRef(collection)
    const tokens = mints.slice(first, first + chain.countMints(ref, mints.slice(first)))
    const input = { collection: ref, tokens }
    const { length: count } = tokens
    const isLast = first + count === mints.length
    const result = await chain.mint(key, input, {
      assertDue: createDueCheck(delivery, goods),
      ...(isLast && { onLanded: (txId) => onLanded?.(nameTransactions(goods, [...parts, { count, txId }])) }),
    })
    if (result.status === 'failed') return { ...result, mintedCount: first }
    const minted = { count, txId: result.txId }
    const event = { type: 'tokens-minted', lineItemIndex, first, ...minted } as const
    if (!isLast) await deps.db.transaction((tx) => updateOrder(deps, tx, order.orderId, event))
    parts.push(minted)
    first += tokens.length
  }
  return nameTransactions(goods, parts)
}
