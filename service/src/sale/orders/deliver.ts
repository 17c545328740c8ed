import type { OrderEvent } from 'kassa/engine'
import type { NftMetadata } from 'kassa/schema'
import type { Transaction } from '#base/db/database.js'
import { createTransactionBatch } from '#base/db/transactTogether.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { JobHandler } from '#base/ports/jobs.js'
import { allocateAll, releaseTokens } from '#goods/collections/allocateTokens.js'
import { prepareContract } from '#goods/collections/contract.js'
import { storeJson } from '#goods/files/linkedFiles.js'
import { toWholeSeconds } from '#goods/nfts/wholeSeconds.js'
import { findKeptTemplate } from '#goods/templates/findTemplate.js'
import { emailLocator, getOrCreateCustodialWallet } from '#identity/wallets/custodialWallet.js'
import { readAdoptedTokens } from './adoptedTokens.js'
import type { EmitDeps } from './emitOrderEvents.js'
import { holdsOf, refuseDelivery, settledChange, shownChange } from './endDelivery.js'
import { type Delivery, findDelivery } from './findDelivery.js'
import { type ItemToken, type MintedTokens, mintItem, tokenMintKey } from './mintItem.js'
import { takeHolds } from './saleCounts.js'
import { createOrderReader, lockOrders } from './store.js'
import { applyAll, createOrderChanges } from './updateOrder.js'

/** The ids of a line item's tokens, and when its subscription ends. */
type ReservedTokens = { tokenIds: readonly string[]; expiresAtMs?: number | undefined }

const dayMs = 24 * 60 * 60_000

/** Returns the end of a subscription that starts now. */
const endOfSubscription = ({ config, now }: Pick<Deps, 'config' | 'now'>): number =>
  toWholeSeconds(now() + config.subscriptionDays * dayMs).getTime()

type ReserveDeps = EmitDeps & Pick<Deps, 'db' | 'config'>

const itemIdOf = ({ order, lineItemIndex }: Delivery): string => `${order.orderId}:${lineItemIndex}`

/**
 * Returns the ids of the first tokens of each line item that were minted before the database was restored from a backup.
 * The supply counts them already.
 */
const readAdopted = async (tx: Transaction, deliveries: readonly Delivery[]): Promise<string[][]> => {
  const [first] = deliveries
  if (!first) return []
  const keysOf = ({ order, item, lineItemIndex }: Delivery): string[] =>
    Array.from({ length: item.quantity }, (_, at) => tokenMintKey(order.orderId, lineItemIndex, at))
  const known = await readAdoptedTokens(tx, first.chain, deliveries.flatMap(keysOf))
  return deliveries.map((delivery) => keysOf(delivery).flatMap((key) => known.get(key) ?? []))
}

/** Assigns line items of one collection their token ids, in their order. */
const reserveAll = async (
  deps: ReserveDeps,
  tx: Transaction,
  collection: Delivery['collection'],
  deliveries: readonly Delivery[],
): Promise<(ReservedTokens | undefined)[]> => {
  const locked = await lockOrders(
    tx,
    deliveries.map(({ order }) => order.orderId),
  )
  const readDelivery = ({ order, lineItemIndex }: Delivery) =>
    locked.get(order.orderId)?.order.lineItems[lineItemIndex]?.delivery
  /** By line item, because a job that was given up may run a second time beside the first. */
  const due = new Map<string, Delivery>()
  for (const delivery of deliveries) {
    const known = readDelivery(delivery)
    // A concurrent delivery may have found too few left before.
    if (known?.status === 'in-progress' && !known.tokenIds) due.set(itemIdOf(delivery), delivery)
  }
  const adopted = await readAdopted(tx, [...due.values()])
  const allocated = await allocateAll(
    tx,
    collection,
    [...due.values()].map(({ item }, at) => ({
      templateId: item.templateId,
      count: item.quantity - (adopted[at]?.length ?? 0),
    })),
  )
  const events = new Map<string, OrderEvent[]>()
  for (const [at, delivery] of [...due.values()].entries()) {
    const { item, lineItemIndex } = delivery
    const { orderId } = delivery.order
    const order = locked.get(orderId)?.order
    const found = allocated[at]
    if (!order || !found) continue
    const isShort = 'isShort' in found
    const isAllowed = isShort || (await takeHolds(tx, collection, holdsOf(order, lineItemIndex)))
    const supply = { collection, templateId: item.templateId }
    const own = adopted[at] ?? []
    if (!isAllowed && !own.length) await releaseTokens(tx, supply, item.quantity)
    const end = delivery.collection.isSubscription ? { expiresAtMs: endOfSubscription(deps) } : {}
    const event: OrderEvent =
      isShort || (!isAllowed && !own.length)
        ? { type: 'item-failed', lineItemIndex }
        : { type: 'tokens-allocated', lineItemIndex, tokenIds: [...own, ...found.tokenIds], ...end }
    events.set(orderId, [...(events.get(orderId) ?? []), event])
  }
  const changes = [...events].flatMap(([orderId, own]) => {
    const stored = locked.get(orderId)
    return stored ? [{ stored, events: own }] : []
  })
  for (const [at, order] of (await applyAll(deps, tx, changes)).entries()) {
    const stored = changes[at]?.stored
    if (stored) locked.set(order.orderId, { ...stored, order })
  }
  return deliveries.map((delivery) => {
    const { status, isSettling, tokenIds, expiresAtMs } = readDelivery(delivery) ?? {}
    return (status === 'in-progress' || isSettling) && tokenIds ? { tokenIds, expiresAtMs } : undefined
  })
}

type Reserve = (delivery: Delivery) => Promise<ReservedTokens | undefined>

/**
 * Creates a function that assigns a line item its token ids, the same ones however often it runs. It returns
 * `undefined` if too few are left, or if the buyer has as many as the sale allows. Deliveries of a collection that come at about the same time share a transaction:
 * they all wait for its lock.
 */
const createReserve = (deps: ReserveDeps): Reserve => {
  const ofCollections = new Map<string, Reserve>()
  return (delivery) => {
    const { collection } = delivery
    const key = `${collection.projectId}:${collection.id}`
    const reserve =
      ofCollections.get(key) ??
      createTransactionBatch(deps.db, (tx, deliveries: readonly Delivery[]) =>
        reserveAll(deps, tx, collection, deliveries),
      )
    ofCollections.set(key, reserve)
    return reserve(delivery)
  }
}

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

/** What runs when a line item's mint is in a block, and what has to end before its mint counts as final. */
type Showing = { onLanded?: (minted: MintedTokens) => void; whenShown: () => Promise<unknown> | undefined }

/** Shows a line item as delivered as soon as its mint is in a block, where it takes more blocks to be final. */
const createShowing = (
  { config, log }: Pick<Deps, 'config' | 'log'>,
  { order, lineItemIndex, chain }: Delivery,
  show: (minted: MintedTokens) => Promise<void>,
): Showing => {
  let shown: Promise<unknown> | undefined
  const whenShown = () => shown
  if (config.deliversWhenFinal || chain.confirmations <= 1) return { whenShown }
  const onLanded = (minted: MintedTokens): void => {
    shown ??= show(minted).catch((err: unknown) => {
      const { orderId } = order
      log.warn(
        { orderId, lineItemIndex, err },
        'a delivery could not be recorded yet; it is when it is final',
      )
    })
  }
  return { onLanded, whenShown }
}

/**
 * Mints one line item to its recipient. Killed at any line and run again, it mints once: the database assigns
 * the token ids, and chain writes go by their key.
 *
 * The line item is shown as delivered once its mint is in a block, and settled once that block is final. If a
 * reorganisation takes the mint back and the chain then refuses it, the line item is on its way again.
 *
 * A line item is either delivered or refunded. A partly minted one is never given up, however often the chain
 * refuses the rest. The log reports it to the operator, and it continues once the cause is fixed.
 */
export const deliverLineItem = (deps: Deps): JobHandler<'orders.deliver'> => {
  const read = createOrderReader(deps.db)
  const reserve = createReserve(deps)
  const change = createOrderChanges(deps)
  return async ({ orderId, lineItemIndex }) => {
    const delivery = await findDelivery(deps, await read(orderId), lineItemIndex)
    if (!delivery) return
    const { chain, attempt } = delivery
    const walletAddress = await findWallet(deps, delivery)
    await chain.ready()
    const turn = { id: itemIdOf(delivery), attempt }
    const contract = await prepareContract(deps, chain, delivery.collection, turn)
    if (contract.status === 'failed') return refuseDelivery(deps, delivery, contract.reason)
    const reserved = await reserve(delivery)
    if (!reserved) return
    const { expiresAtMs } = reserved
    // A change of the template waits for this order from now on.
    const due = { ...delivery, template: await readTemplate(deps, delivery) }
    const tokens = await describeTokens(deps, due, reserved.tokenIds)
    const goods = { walletAddress, tokens, expiresAtMs }
    const { onLanded, whenShown } = createShowing(deps, due, (minted) =>
      change(shownChange(deps, due, goods, minted)),
    )
    const minted = await mintItem(deps, due, goods, onLanded)
      .finally(whenShown)
      .catch((error) => {
        if (error instanceof ServiceError && error.code === 'conflict') return undefined
        throw error
      })
    // Its payment was reorganised away. It is delivered once it is paid for again.
    if (!minted) return
    if (minted.status === 'failed') return refuseDelivery(deps, delivery, minted.reason, minted.mintedCount)
    await change(settledChange(deps, due, goods, minted))
  }
}
