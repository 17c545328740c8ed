import { listHolds, type OrderEvent, type OrderState, type SaleHold } from 'kassa/engine'
import type { Deps } from '#base/deps.js'
import { releaseTokens } from '#goods/collections/allocateTokens.js'
import { toCollectionRef } from '#goods/collections/viewCollection.js'
import { forgetDelivered, moveDelivered, recordDelivered } from '#goods/nfts/recordDelivered.js'
import type { Delivery } from './findDelivery.js'
import type { ItemMint, MintedTokens } from './mintItem.js'
import { releaseHolds } from './saleCounts.js'
import { lockOrder } from './store.js'
import { applyEvents, type OrderChange } from './updateOrder.js'

/** What a line item counts against the limits of its sale. */
export const holdsOf = (order: OrderState, lineItemIndex: number): SaleHold[] => {
  const item = order.lineItems[lineItemIndex]
  return item ? listHolds(item, order) : []
}

/**
 * Records that the chain refused a line item. One that was shown as delivered is on its way again, and its tokens leave
 * the list of their collection.
 */
export const refuseDelivery = async (
  deps: Deps,
  delivery: Delivery,
  reason: string,
  mintedCount = 0,
): Promise<void> => {
  const { order, item, lineItemIndex, collection, attempt } = delivery
  const { orderId, projectId } = order
  deps.log.error(
    { orderId, lineItemIndex, attempt, reason, mintedCount },
    mintedCount ? 'the chain refused the rest of a delivery' : 'the chain refused a delivery',
  )
  await deps.db.transaction(async (tx) => {
    const stored = await lockOrder(tx, orderId)
    const current = stored?.order.lineItems[lineItemIndex]
    if (!stored || !current) return
    const { status, isSettling, tokenIds } = current.delivery
    if (status !== 'in-progress' && !isSettling) return
    const type = isSettling ? 'item-undone' : 'item-refused'
    const next = await applyEvents(deps, tx, stored, [{ type, lineItemIndex, attempt }])
    if (next === stored.order) return
    const { collectionId, templateId, quantity } = item
    if (isSettling) await forgetDelivered(tx, { projectId, collectionId, orderId, lineItemIndex }, quantity)
    const isOver = next.lineItems[lineItemIndex]?.delivery.status === 'failed'
    if (!isOver || !tokenIds) return
    await releaseTokens(tx, { collection, templateId }, quantity)
    await releaseHolds(tx, collection, holdsOf(stored.order, lineItemIndex))
  })
}

type Delivered = Extract<OrderEvent, { type: 'item-delivered' }>

const toDelivered = (
  { lineItemIndex, collection, chain }: Delivery,
  { walletAddress }: ItemMint,
  { tokens: minted, txId }: MintedTokens,
): Delivered => {
  const ref = toCollectionRef(collection)
  const contractAddress = chain.collectionAddress(ref)
  const tokens = minted.map(({ tokenId }) => {
    const mintHash = chain.tokenAddress(ref, BigInt(tokenId))
    if (mintHash !== undefined) return { locator: `${chain.chain}:${mintHash}`, mintHash, tokenId }
    return { locator: `${chain.chain}:${contractAddress}:${tokenId}`, contractAddress, tokenId }
  })
  return { type: 'item-delivered', lineItemIndex, txId, walletAddress, tokens }
}

const toGoods = (
  { now }: Pick<Deps, 'now'>,
  { order, item, lineItemIndex, template }: Delivery,
  { walletAddress, expiresAtMs }: ItemMint,
  { tokens }: MintedTokens,
) => {
  const { orderId, projectId, locale } = order
  const { collectionId, templateId } = item
  const place = { projectId, collectionId, orderId, lineItemIndex }
  const looks = { templateId, templateName: template?.name, locale, tokens }
  return { ...place, ...looks, owner: walletAddress, expiresAtMs, nowMs: now() }
}

/** Returns the change of an order that shows a line item as delivered, while its block may still be replaced. */
export const shownChange = (
  deps: Pick<Deps, 'now'>,
  delivery: Delivery,
  goods: ItemMint,
  minted: MintedTokens,
): OrderChange => ({
  orderId: delivery.order.orderId,
  events: [{ ...toDelivered(delivery, goods, minted), isSettling: true }],
  also: (tx) => recordDelivered(tx, toGoods(deps, delivery, goods, minted)),
})

/** Returns the change of an order that records a delivered line item for good, whether or not it was shown before. */
export const settledChange = (
  deps: Pick<Deps, 'now' | 'db'>,
  delivery: Delivery,
  goods: ItemMint,
  minted: MintedTokens,
): OrderChange => {
  const { order, lineItemIndex } = delivery
  const { orderId } = order
  const { txId } = minted
  return {
    orderId,
    events: [toDelivered(delivery, goods, minted), { type: 'item-settled', lineItemIndex, txId }],
    also: async (tx, before) => {
      const row = toGoods(deps, delivery, goods, minted)
      await recordDelivered(tx, row)
      const fromTxId = before.lineItems[lineItemIndex]?.delivery.txId
      if (fromTxId !== undefined && fromTxId !== txId) await moveDelivered(tx, { ...row, fromTxId, txId })
    },
  }
}
