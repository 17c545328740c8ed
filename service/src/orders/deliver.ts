import { attemptKey, type ChainPort, type WriteResult } from '../chains/port.js'
import { allocateTokens, releaseTokens } from '../collections/allocateTokens.js'
import { collectionKey } from '../collections/collectionKey.js'
import { type Collection, findCollection } from '../collections/findCollection.js'
import type { Deps } from '../deps.js'
import type { JobHandler } from '../jobs/port.js'
import { emailLocator, getOrCreateCustodialWallet } from '../wallets/custodialWallet.js'
import type { LineItemState, OrderState } from './order.js'
import { lockOrder, readOrder } from './store.js'
import { tokenMetadata } from './tokenMetadata.js'
import { applyEvents, updateOrder } from './updateOrder.js'

type Delivery = {
  order: OrderState
  item: LineItemState
  lineItemIndex: number
  collection: Collection
  chain: ChainPort
}

const findDelivery = async (
  deps: Deps,
  orderId: string,
  lineItemIndex: number,
): Promise<Delivery | undefined> => {
  const order = (await readOrder(deps.db, orderId))?.order
  const item = order?.lineItems[lineItemIndex]
  if (!order || item?.delivery.status !== 'in-progress') return undefined
  const collection = await findCollection(deps.db, order.projectId, item.collectionId)
  const chain = deps.chains.get(item.chain)
  if (!collection || !chain) throw new Error(`${item.collectionId} on ${item.chain} is gone`)
  return { order, item, lineItemIndex, collection, chain }
}

const findWallet = async (deps: Deps, { order, item }: Delivery): Promise<string> => {
  if (item.delivery.walletAddress !== undefined) return item.delivery.walletAddress
  if (order.recipient?.email === undefined) throw new Error('the order has no recipient')
  const userLocator = emailLocator(order.recipient.email)
  const owner = { projectId: order.projectId, userLocator, family: 'evm' as const }
  return (await getOrCreateCustodialWallet(deps, owner)).address
}

const attemptOf = ({ item }: Delivery): number => item.delivery.attempt ?? 1

const putContract = async (delivery: Delivery): Promise<WriteResult> => {
  const { chain, collection } = delivery
  const key = collectionKey(collection)
  const { name, symbol, supplyLimit, isTransferable: transferable } = collection
  const limit = BigInt(supplyLimit ?? 0)
  const input = { collectionKey: key, name, symbol, supplyLimit: limit, transferable }
  // All orders of a collection share its attempts: any of them may have put it there.
  for (let attempt = 1; ; attempt++) {
    const created = await chain.createCollection(attemptKey(key, attempt), input)
    if (created.status === 'succeeded' || attempt >= attemptOf(delivery)) return created
  }
}

/** Gives the line item its token ids, the same ones however often this runs; undefined when sold out. */
const reserveTokens = (deps: Deps, { order, item, lineItemIndex, collection }: Delivery) =>
  deps.db.transaction(async (tx): Promise<string[] | undefined> => {
    const stored = await lockOrder(tx, order.orderId)
    const known = stored?.order.lineItems[lineItemIndex]?.delivery.tokenIds
    if (!stored || known) return known
    const tokenIds = await allocateTokens(tx, collection, item.quantity)
    await applyEvents(deps, tx, stored, [
      tokenIds
        ? { type: 'tokens-allocated', lineItemIndex, tokenIds }
        : { type: 'item-failed', lineItemIndex },
    ])
    return tokenIds
  })

const mint = async (deps: Deps, delivery: Delivery, recipient: string, tokenIds: readonly string[]) => {
  const { order, lineItemIndex, collection, chain } = delivery
  const tokens = []
  for (const tokenId of tokenIds) {
    const bytes = new TextEncoder().encode(JSON.stringify(tokenMetadata(collection, tokenId)))
    const uri = `ipfs://${await deps.storage.put(bytes, 'application/json')}`
    tokens.push({ recipient, tokenId: BigInt(tokenId), uri })
  }
  const contractAddress = chain.collectionAddress(collectionKey(collection))
  const key = attemptKey(`mint:${order.orderId}:${lineItemIndex}`, attemptOf(delivery))
  return chain.mint(key, { contractAddress, tokens })
}

const refuse = async (deps: Deps, delivery: Delivery, reason: string) => {
  const { order, item, lineItemIndex, collection } = delivery
  const attempt = attemptOf(delivery)
  deps.log.error({ orderId: order.orderId, lineItemIndex, attempt, reason }, 'the chain refused a delivery')
  await deps.db.transaction(async (tx) => {
    const stored = await lockOrder(tx, order.orderId)
    const current = stored?.order.lineItems[lineItemIndex]
    if (!stored || current?.delivery.status !== 'in-progress') return
    const next = await applyEvents(deps, tx, stored, [{ type: 'item-refused', lineItemIndex, attempt }])
    const isOver = next.lineItems[lineItemIndex]?.delivery.status === 'failed'
    if (isOver && current.delivery.tokenIds) await releaseTokens(tx, collection, item.quantity)
  })
}

const succeed = (
  deps: Deps,
  delivery: Delivery,
  done: { walletAddress: string; tokenIds: string[]; txId: string },
) => {
  const { order, lineItemIndex, collection, chain } = delivery
  const contractAddress = chain.collectionAddress(collectionKey(collection))
  const { txId, walletAddress } = done
  const tokens = done.tokenIds.map((tokenId) => ({
    locator: `${chain.chain}:${contractAddress}:${tokenId}`,
    contractAddress,
    tokenId,
  }))
  const event = { type: 'item-delivered', lineItemIndex, txId, walletAddress, tokens } as const
  return deps.db.transaction((tx) => updateOrder(deps, tx, order.orderId, event))
}

/**
 * Mints one line item to its recipient. Killed at any line and run again, it mints once: token ids are given out
 * in the database, and chain writes go by their key.
 */
export const deliverLineItem =
  (deps: Deps): JobHandler<'orders.deliver'> =>
  async ({ orderId, lineItemIndex }) => {
    const delivery = await findDelivery(deps, orderId, lineItemIndex)
    if (!delivery) return
    const { chain } = delivery
    const walletAddress = await findWallet(deps, delivery)
    await chain.ready()
    const contract = await putContract(delivery)
    if (contract.status === 'failed') return refuse(deps, delivery, contract.reason)
    const tokenIds = await reserveTokens(deps, delivery)
    if (!tokenIds) return
    const minted = await mint(deps, delivery, walletAddress, tokenIds)
    if (minted.status === 'failed') return refuse(deps, delivery, minted.reason)
    await succeed(deps, delivery, { walletAddress, tokenIds, txId: minted.txId })
  }
