import type { OrderState } from '../../engine/order/order.js'
import type { LineItemRequest } from '../../engine/order/quoteInput.js'
import { findPhase, listHolds } from '../../engine/order/sale.js'
import type { AskedTerms } from '../../engine/order/terms.js'
import { userLocator } from '../../engine/wallet/userLocator.js'
import type { StockedCollection } from './testCollection.js'
import type { TestWorld } from './testWorld.js'

type LineItem = OrderState['lineItems'][number]

/** Counts what line items hold of the limits of a collection's sale, by key. */
const countHeld = (
  { orders }: TestWorld,
  collectionId: string,
  isCounted: (order: OrderState, item: LineItem) => boolean,
): Map<string, number> => {
  const held = new Map<string, number>()
  for (const { order } of orders.values()) {
    for (const item of order.lineItems) {
      if (item.collectionId !== collectionId || !isCounted(order, item)) continue
      for (const { key, count } of listHolds(item, order)) held.set(key, (held.get(key) ?? 0) + count)
    }
  }
  return held
}

/** Whether an order is paid, or is being paid, and its line item may still arrive or has arrived. */
const isSpokenFor = ({ phase, payments }: OrderState, { delivery, quote }: LineItem): boolean =>
  (phase !== 'payment' || payments.some(({ use }) => use === 'undecided')) &&
  phase !== 'quote' &&
  quote.status === 'valid' &&
  delivery.status !== 'failed'

/** Whether every limit of a line item's sale has room for it. The first that is delivered is served. */
export const hasSaleRoom = (world: TestWorld, order: OrderState, item: LineItem): boolean => {
  const served = countHeld(world, item.collectionId, (_, { delivery }) => delivery.status === 'completed')
  return listHolds(item, order).every(({ key, count, max }) => (served.get(key) ?? 0) + count <= max)
}

/** Who an order is for, and the address of their wallet if it has one. */
type Buyer = Pick<AskedTerms, 'recipient'> & { walletAddress: string | undefined }

/** The user of a wallet that the service keeps, or the address: one buyer, whichever of the two an order names. */
const findWalletKey = (
  { wallets }: TestWorld,
  { recipient, walletAddress: address }: Buyer,
): string | undefined => {
  if (recipient?.email !== undefined) return userLocator('email', recipient.email)
  if (address === undefined) return undefined
  const own = [...wallets.values()].find((wallet) => wallet.address === address)
  return own?.userLocator ?? address
}

/** Finds what the rules of a sale depend on: the present phase's allow-list, and what counts already. */
export const findSold = (
  world: TestWorld,
  { id, sale }: StockedCollection,
  buyer: Buyer,
): Pick<LineItemRequest, 'walletKey' | 'held' | 'isListed'> => {
  if (!sale) return {}
  const phase = findPhase(sale, world.now())
  const listed = sale.phases?.find(({ name }) => name === phase?.name)?.allowList?.addresses
  const walletKey = sale.maxPerBuyer?.wallet === undefined ? undefined : findWalletKey(world, buyer)
  const own = buyer.walletAddress?.toLowerCase()
  const isListed = listed?.some((address) => address.toLowerCase() === own)
  return {
    held: countHeld(world, id, isSpokenFor),
    ...(walletKey !== undefined && { walletKey }),
    ...(isListed !== undefined && { isListed }),
  }
}
