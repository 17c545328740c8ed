import { allocateTokens } from '../collections/allocateTokens.js'
import type { Deps } from '../deps.js'
import { toWholeSeconds } from '../nfts/wholeSeconds.js'
import type { Delivery } from './findDelivery.js'
import { lockOrder } from './store.js'
import { applyEvents } from './updateOrder.js'

/** The ids of a line item's tokens, and when its subscription ends. */
export type ReservedTokens = { tokenIds: readonly string[]; expiresAtMs?: number | undefined }

const dayMs = 24 * 60 * 60_000

/** Returns the end of a subscription that starts now. */
const endOfSubscription = ({ config, now }: Pick<Deps, 'config' | 'now'>): number =>
  toWholeSeconds(now() + config.subscriptionDays * dayMs).getTime()

/**
 * Assigns a line item its token ids, the same ones however often this runs. Returns `undefined` if too few
 * are left.
 */
export const reserveTokens = (
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
