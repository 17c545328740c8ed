import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query'
import { isKassaError } from 'kassa/api'
import { orderQueryOptions } from 'kassa/query'
import { notFound } from 'next/navigation'
import { createShopClient } from './serverClient'

const lost = ['api.not-found', 'api.unauthorized', 'api.forbidden'] as const

/**
 * Gets an order before its page is sent, so that the page contains the price. If the service does not answer,
 * the page goes out without it and loads the order in the browser.
 */
export const prefetchOrder = async (order: {
  orderId: string
  clientSecret: string
}): Promise<DehydratedState> => {
  const queryClient = new QueryClient()
  try {
    await queryClient.fetchQuery(orderQueryOptions(createShopClient(), order))
  } catch (error) {
    if (lost.some((code) => isKassaError(error, code))) notFound()
  }
  return dehydrate(queryClient)
}
