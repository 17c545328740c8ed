import type { Order } from 'kassa'
import { readText } from './read'

/** Returns the path of an edition's page. */
export const getEditionPath = (id: string): string => `/editions/${encodeURIComponent(id)}`

/** Returns the id of an order's edition; undefined if it has several. */
export const getEditionId = ({ metadata }: Order): string | undefined => {
  const { editions } = metadata ?? {}
  return Array.isArray(editions) && editions.length === 1 ? readText(editions[0]) : undefined
}

/**
 * Returns the path of the page to show to others: that of the order's edition, or the shop's if there are several. The
 * order's own page is for its buyer only.
 */
export const getPublicPath = (order: Order): string => {
  const edition = getEditionId(order)
  return edition === undefined ? '/' : getEditionPath(edition)
}
