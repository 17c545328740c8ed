import { chunk } from '#base/lib/chunk.js'

/** How many orders share a transaction at most: they are locked until its end. */
const ordersAtOnce = 20

/** Splits lists of orders into parts that one transaction writes: of few orders, each once, and of few items. */
export const pack = <Item>(
  lists: readonly { orderId: string; items: readonly Item[] }[],
  maxItems: number,
): { orderId: string; items: readonly Item[] }[][] => {
  const packs: { orderId: string; items: readonly Item[] }[][] = []
  for (const { orderId, items } of lists) {
    for (const some of chunk(items, maxItems)) {
      const last = packs.at(-1)
      const count = last?.reduce((sum, own) => sum + own.items.length, some.length) ?? 0
      const fits = last && last.length < ordersAtOnce && count <= maxItems
      if (fits && last.at(-1)?.orderId !== orderId) last.push({ orderId, items: some })
      else packs.push([{ orderId, items: some }])
    }
  }
  return packs
}
