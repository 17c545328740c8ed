import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query'
import type { Order } from 'kassa'
import { type Client, isKassaError } from 'kassa/api'
import { orderQueryOptions } from 'kassa/query'
import { refreshOrder } from 'kassa/server'
import { notFound } from 'next/navigation'
import { createShopClient } from './serverClient'
import { type Edition, getShop } from './shop'

type OrderAccess = { orderId: string; clientSecret: string }

const lost = ['api.not-found', 'api.unauthorized', 'api.forbidden'] as const

/** Whether an unpaid order asks for more of an edition than the shop has left. */
const isShort = ({ phase, quote, lineItems, metadata }: Order, stock: readonly Edition[]): boolean => {
  const isOpen = phase === 'payment' ? quote.status === 'valid' : quote.status === 'requires-recipient'
  const ids: unknown[] = Array.isArray(metadata?.editions) ? metadata.editions : []
  return (
    isOpen &&
    lineItems.some(({ quantity = 1 }, index) => {
      const { available } = stock.find(({ id }) => id === ids[index]) ?? {}
      return available !== undefined && available < quantity
    })
  )
}

/**
 * Returns the order as it can be filled now. An order keeps its quote while others buy, so one that asks for more than
 * is left is quoted again.
 */
const withStock = async (client: Client, access: OrderAccess, order: Order): Promise<Order> => {
  const shop = await getShop()
  if (!isShort(order, shop?.editions ?? [])) return order
  // The service refuses once it has seen a payment. The order then stays as it is.
  return refreshOrder(client, access).catch(() => order)
}

/**
 * Gets an order before its page is sent, so that the page contains the price, or says how many are left. If the service
 * does not answer, the page goes out without it and loads the order in the browser.
 */
export const prefetchOrder = async (access: OrderAccess): Promise<DehydratedState> => {
  const queryClient = new QueryClient()
  try {
    const client = createShopClient()
    const options = orderQueryOptions(client, access)
    const order = await queryClient.fetchQuery(options)
    queryClient.setQueryData(options.queryKey, await withStock(client, access, order))
  } catch (error) {
    if (lost.some((code) => isKassaError(error, code))) notFound()
  }
  return dehydrate(queryClient)
}
