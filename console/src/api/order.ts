import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { getOrder, getTimeline, listRefunds } from 'kassa/api'
import { client } from './console.js'

const isOver = (phase: string | undefined): boolean => phase === 'completed'

/** An order, read again while something may happen to it. */
export const orderQuery = (orderId: string) =>
  queryOptions({
    queryKey: ['order', orderId],
    queryFn: ({ signal }) => getOrder(client, { orderId, signal }),
    refetchInterval: ({ state }) => (isOver(state.data?.phase) ? 30_000 : 5_000),
  })

/** What happened to an order. */
export const timelineQuery = (orderId: string) =>
  queryOptions({
    queryKey: ['order', orderId, 'timeline'],
    queryFn: ({ signal }) => getTimeline(client, { orderId, signal }),
    refetchInterval: 15_000,
  })

/** The first refunds of an order, oldest first. */
export const refundsQuery = (orderId: string) =>
  queryOptions({
    queryKey: ['order', orderId, 'refunds'],
    queryFn: ({ signal }) => listRefunds(client, { orderId, perPage: 100, signal }),
    refetchInterval: 15_000,
  })

/** Returns a function that reads an order and all that belongs to it again. */
export const useRefresh = (orderId: string): (() => Promise<void>) => {
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries({ queryKey: ['order', orderId] })
  }
}
