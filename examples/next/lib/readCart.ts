import { type OrderDraft, refuseCart } from 'kassa/server'
import type { Translate } from './language/createTranslate'
import { multiply } from './money'
import { isRecord } from './read'
import type { Edition } from './shop'

/** The editions a buyer asks for and how many of each. It contains no price. */
export type Cart = { items: { edition: string; quantity: number }[] }

type Chosen = { edition: Edition; quantity: number }

/** The service's limit for one order. */
export const maxLines = 50
/** This shop's limit for one order, over all editions. */
const maxCopies = 100

const readItem = (item: unknown, editions: readonly Edition[], t: Translate<'buy'>): Chosen => {
  const { edition: id, quantity } = isRecord(item) ? item : {}
  const edition = editions.find((known) => known.id === id)
  if (!edition) throw refuseCart(t('notOnSale'))
  if (typeof quantity !== 'number' || !Number.isInteger(quantity) || quantity < 1) {
    throw refuseCart(t('chooseQuantity', { most: maxCopies }))
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

/** What the checkout needs of the order beside what the service says. */
const getMetadata = (chosen: readonly Chosen[]): NonNullable<OrderDraft['metadata']> => {
  // In the order of the line items, so that a buyer can order again what is left of them.
  const editions = chosen.map(({ edition }) => edition.id)
  const limits = chosen.flatMap(({ edition: { currencies } }) => (currencies ? [currencies] : []))
  const [currencies] = limits
  const shared = {
    editions,
    ...(currencies && {
      currencies: currencies.filter((currency) => limits.every((limit) => limit.includes(currency))),
    }),
  }
  const [first, ...others] = chosen
  if (!first || others.length > 0) return shared
  const { edition, quantity } = first
  // The service returns a price once the buyer is known; until then the checkout shows the shop's own.
  const { price, currency, fiat } = edition
  return {
    ...shared,
    listPrice: { amount: multiply(price, quantity), currency },
    ...(fiat && { listFiat: { amount: multiply(fiat.amount, quantity), currency: fiat.currency } }),
  }
}

const checkStock = ({ edition, quantity }: Chosen, t: Translate<'buy'>): void => {
  const { name, available } = edition
  if (available === 0) throw refuseCart(t('soldOut', { name }))
  if (available !== undefined && quantity > available) {
    throw refuseCart(t('tooFew', { name, left: available }))
  }
}

/**
 * Turns a cart into an order request, with prices from the shop's own catalogue.
 *
 * @param cart - Untrusted input from a browser.
 * @throws KassaError with a message for the buyer, when an item is not on sale or the cart is too large.
 */
export const readCart = (cart: unknown, editions: readonly Edition[], t: Translate<'buy'>): OrderDraft => {
  const items = isRecord(cart) && Array.isArray(cart.items) ? cart.items : []
  if (items.length === 0) throw refuseCart(t('chooseEdition'))
  const chosen = mergeEqual(items.map((item) => readItem(item, editions, t)))
  if (chosen.length > maxLines) throw refuseCart(t('tooManyEditions', { most: maxLines }))
  if (chosen.reduce((sum, { quantity }) => sum + quantity, 0) > maxCopies) {
    throw refuseCart(t('tooManyCopies', { most: maxCopies }))
  }
  for (const one of chosen) checkStock(one, t)
  return {
    lineItems: chosen.map(({ edition, quantity }) => ({
      collectionLocator: edition.locator,
      callData: { quantity },
    })),
    metadata: getMetadata(chosen),
  }
}
