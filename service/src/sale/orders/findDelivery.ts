import type { LineItemState, OrderState } from 'kassa/engine'
import type { Deps } from '#base/deps.js'
import type { ChainPort } from '#base/ports/chain.js'
import { findCollection } from '#goods/collections/findCollection.js'
import type { Collection } from '#goods/collections/viewCollection.js'
import { findKeptTemplate, type Template } from '#goods/templates/findTemplate.js'

/** A line item to deliver, and all that its delivery needs. */
export type Delivery = {
  order: OrderState
  item: LineItemState
  lineItemIndex: number
  collection: Collection
  template: Template | undefined
  chain: ChainPort
  /** The number of the current attempt. */
  attempt: number
}

/**
 * Finds a line item to deliver, or whose mint may still be undone. Returns `undefined` if it is not due, or no longer due.
 */
export const findDelivery = async (
  deps: Pick<Deps, 'db' | 'chains'>,
  order: OrderState | undefined,
  lineItemIndex: number,
): Promise<Delivery | undefined> => {
  const item = order?.lineItems[lineItemIndex]
  if (!order || (item?.delivery.status !== 'in-progress' && !item?.delivery.isSettling)) return undefined
  const { projectId } = order
  const { collectionId, templateId } = item
  const collection = await findCollection(deps.db, projectId, collectionId)
  const chain = deps.chains.get(item.chain)
  if (!collection || !chain) throw new Error(`${collectionId} on ${item.chain} is gone`)
  const template =
    templateId === undefined
      ? undefined
      : await findKeptTemplate(deps.db, { projectId, collectionId, templateId })
  if (templateId !== undefined && !template) throw new Error(`the template ${templateId} is gone`)
  return { order, item, lineItemIndex, collection, template, chain, attempt: item.delivery.attempt ?? 1 }
}
