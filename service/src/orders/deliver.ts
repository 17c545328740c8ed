import type { NftMetadata } from 'kassa/schema'
import { allocateTokens, releaseTokens } from '../collections/allocateTokens.js'
import { prepareContract } from '../collections/contract.js'
import { toCollectionRef } from '../collections/viewCollection.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { storeJson } from '../files/linkedFiles.js'
import { recordDelivered } from '../nfts/recordDelivered.js'
import { toWholeSeconds } from '../nfts/wholeSeconds.js'
import type { JobHandler } from '../ports/jobs.js'
import { findKeptTemplate } from '../templates/findTemplate.js'
import { emailLocator, getOrCreateCustodialWallet } from '../wallets/custodialWallet.js'
import { type Delivery, findDelivery } from './findDelivery.js'
import { type ItemMint, type ItemToken, type MintedItem, mintItem } from './mintItem.js'
import { lockOrder } from './store.js'
import { applyEvents } from './updateOrder.js'

/** The ids of a line item's tokens, and when its subscription ends. */
type ReservedTokens = { tokenIds: readonly string[]; expiresAtMs?: number | undefined }

const dayMs = 24 * 60 * 60_000

/** Returns the end of a subscription that starts now. */
const endOfSubscription = ({ config, now }: Pick<Deps, 'config' | 'now'>): number =>
  toWholeSeconds(now() + config.subscriptionDays * dayMs).getTime()

/**
 * Assigns a line item its token ids, the same ones however often this runs. Returns `undefined` if too few
 * are left.
 */
const reserveTokens = (
  deps: Pick<Deps, 'db' | 'jobs' | 'now' | 'config' | 'randomBytes'>,
  { order, item, lineItemIndex, collection }: Delivery,
): Promise<ReservedTokens | undefined> =>
  deps.db.transaction(async (tx) => {
    const stored = await lockOrder(tx, order.orderId)
    const known = stored?.order.lineItems[lineItemIndex]?.delivery
    // A concurrent delivery may have found too few left before.
    if (!stored || known?.status !== 'in-progress') return undefined
    if (known.tokenIds) return { tokenIds: known.tokenIds, expiresAtMs: known.expiresAtMs }
    const supply = { collection, templateId: item.templateId }
    const allocated = await allocateTokens(tx, supply, item.quantity)
    if ('isShort' in allocated) {
      await applyEvents(deps, tx, stored, [{ type: 'item-failed', lineItemIndex }])
      return undefined
    }
    const end = collection.isSubscription ? { expiresAtMs: endOfSubscription(deps) } : {}
    const reserved = { tokenIds: allocated.tokenIds, ...end }
    await applyEvents(deps, tx, stored, [{ type: 'tokens-allocated', lineItemIndex, ...reserved }])
    return reserved
  })

/**
 * Returns a token's metadata for wallets and marketplaces (ERC-721). A copy is like its template; others are
 * numbered. Neither changes once the order is paid, so that a pending mint stays described as it was signed.
 */
const tokenMetadata = (
  { item, template }: Pick<Delivery, 'item' | 'template'>,
  tokenId: string,
): NftMetadata => {
  if (template) return template.metadata
  const { name, description, imageUrl: image } = item.metadata
  return { name: `${name} #${tokenId}`, description, image }
}

const findWallet = async (deps: Deps, { order, item, chain }: Delivery): Promise<string> => {
  if (item.delivery.walletAddress !== undefined) return item.delivery.walletAddress
  if (order.recipient?.email === undefined) throw new Error('the order has no recipient')
  const userLocator = emailLocator(order.recipient.email)
  const owner = { projectId: order.projectId, userLocator }
  return (await getOrCreateCustodialWallet(deps, chain, owner)).address
}

const readTemplate = ({ db }: Pick<Deps, 'db'>, { order, item }: Delivery) => {
  const { collectionId, templateId } = item
  if (templateId === undefined) return undefined
  return findKeptTemplate(db, { projectId: order.projectId, collectionId, templateId })
}

const describeTokens = async (
  deps: Deps,
  delivery: Delivery,
  tokenIds: readonly string[],
): Promise<ItemToken[]> => {
  const tokens: ItemToken[] = []
  for (const tokenId of tokenIds) {
    const metadata = tokenMetadata(delivery, tokenId)
    tokens.push({ tokenId, metadata, uri: await storeJson(deps, metadata) })
  }
  return tokens
}

const refuse = async (deps: Deps, delivery: Delivery, reason: string, mintedCount = 0) => {
  const { order, item, lineItemIndex, collection, attempt } = delivery
  deps.log.error(
    { orderId: order.orderId, lineItemIndex, attempt, reason, mintedCount },
    mintedCount ? 'the chain refused the rest of a delivery' : 'the chain refused a delivery',
  )
  await deps.db.transaction(async (tx) => {
    const stored = await lockOrder(tx, order.orderId)
    const current = stored?.order.lineItems[lineItemIndex]
    if (!stored || current?.delivery.status !== 'in-progress') return
    const next = await applyEvents(deps, tx, stored, [{ type: 'item-refused', lineItemIndex, attempt }])
    const isOver = next.lineItems[lineItemIndex]?.delivery.status === 'failed'
    const supply = { collection, templateId: item.templateId }
    if (isOver && current.delivery.tokenIds) await releaseTokens(tx, supply, item.quantity)
  })
}

const succeed = (
  deps: Deps,
  { order, item, lineItemIndex, collection, chain }: Delivery,
  { walletAddress, expiresAtMs }: ItemMint,
  { tokens: minted, txId }: Extract<MintedItem, { status: 'succeeded' }>,
) => {
  const { orderId, projectId, locale } = order
  const { collectionId, templateId } = item
  const contractAddress = chain.collectionAddress(toCollectionRef(collection))
  const tokens = minted.map(({ tokenId }) => ({
    locator: `${chain.chain}:${contractAddress}:${tokenId}`,
    contractAddress,
    tokenId,
  }))
  return deps.db.transaction(async (tx) => {
    const stored = await lockOrder(tx, orderId)
    if (!stored) return
    const event = { type: 'item-delivered', lineItemIndex, txId, walletAddress, tokens } as const
    await applyEvents(deps, tx, stored, [event])
    const goods = { projectId, collectionId, orderId, lineItemIndex, templateId, locale }
    const nowMs = deps.now()
    await recordDelivered(tx, { ...goods, tokens: minted, owner: walletAddress, expiresAtMs, nowMs })
  })
}

/**
 * Mints one line item to its recipient. Killed at any line and run again, it mints once: the database assigns
 * the token ids, and chain writes go by their key.
 *
 * A line item is either delivered or refunded. A partly minted one is never given up, however often the chain
 * refuses the rest. The log reports it to the operator, and it continues once the cause is fixed.
 */
export const deliverLineItem =
  (deps: Deps): JobHandler<'orders.deliver'> =>
  async ({ orderId, lineItemIndex }) => {
    const delivery = await findDelivery(deps, orderId, lineItemIndex)
    if (!delivery) return
    const { chain, attempt } = delivery
    const walletAddress = await findWallet(deps, delivery)
    await chain.ready()
    const turn = { id: `${orderId}:${lineItemIndex}`, attempt }
    const contract = await prepareContract(deps, chain, delivery.collection, turn)
    if (contract.status === 'failed') return refuse(deps, delivery, contract.reason)
    const reserved = await reserveTokens(deps, delivery)
    if (!reserved) return
    const { expiresAtMs } = reserved
    // A change of the template waits for this order from now on.
    const due = { ...delivery, template: await readTemplate(deps, delivery) }
    const tokens = await describeTokens(deps, due, reserved.tokenIds)
    const goods = { walletAddress, tokens, expiresAtMs }
    const minted = await mintItem(deps, due, goods).catch((error) => {
      if (error instanceof ServiceError && error.code === 'conflict') return undefined
      throw error
    })
    // Its payment was reorganised away. It is delivered once it is paid for again.
    if (!minted) return
    if (minted.status === 'failed') return refuse(deps, delivery, minted.reason, minted.mintedCount)
    await succeed(deps, delivery, goods, minted)
  }
