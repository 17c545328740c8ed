import { type OrderDraft, refuseCart } from 'kassa/server'
import { multiply } from './money'
import { isRecord } from './read'
import type { Edition } from './shop'

/** The editions a buyer asks for and how many of each. It contains no price. */
export type Cart = { items: { edition: string; quantity: number }[] }

type Chosen = { edition: Edition; quantity: number }

/** The service's limit for one order. */
const maxLines = 50
/** This shop's limit for one order, over all editions. */
const maxCopies = 100

const readItem = (item: unknown, editions: readonly Edition[]): Chosen => {
  const { edition: id, quantity } = isRecord(item) ? item : {}
  const edition = editions.find((known) => known.id === id)
  if (!edition) throw refuseCart('This edition is no longer on sale.')
  if (typeof quantity !== 'number' || !Number.isInteger(quantity) || quantity < 1) {
    throw refuseCart(`Choose a quantity from 1 to ${maxCopies}.`)
  }
  return { edition, quantity }
}

// Repeated entries of an edition become one line of the order.
const mergeEqual = (items: readonly Chosen[]): Chosen[] => {
  const lines = new Map<string, Chosen>()
  for (const { edition, quantity } of items)
    lines.set(edition.id, { edition, quantity: quantity + (lines.get(edition.id)?.quantity ?? 0) })
  return [...lines.values()]
}

// The service returns a price once the buyer is known; until then the checkout shows the shop's own.
const getMetadata = ([first, ...others]: Chosen[]): Pick<OrderDraft, 'metadata'> => {
  if (!first || others.length > 0) return {}
  const { edition, quantity } = first
  return {
    metadata: { listPrice: { amount: multiply(edition.price, quantity), currency: edition.currency } },
  }
}

/**
 * Turns a cart into an order request, with prices from the shop's own catalogue.
 *
 * @param cart - Untrusted input from a browser.
 * @throws KassaError with a message for the buyer, when an item is not on sale or the cart is too large.
 */
export const readCart = (cart: unknown, editions: readonly Edition[]): OrderDraft => {
  const items = isRecord(cart) && Array.isArray(cart.items) ? cart.items : []
  if (items.length === 0) throw refuseCart('Choose an edition first.')
  const chosen = mergeEqual(items.map((item) => readItem(item, editions)))
  if (chosen.length > maxLines) throw refuseCart(`Choose at most ${maxLines} editions at a time.`)
  if (chosen.reduce((sum, { quantity }) => sum + quantity, 0) > maxCopies) {
    throw refuseCart(`Choose at most ${maxCopies} copies at a time.`)
  }
  return {
    lineItems: chosen.map(({ edition, quantity }) => ({
      collectionLocator: edition.locator,
      callData: { quantity },
    })),
    ...getMetadata(chosen),
  }
}
