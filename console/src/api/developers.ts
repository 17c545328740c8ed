import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import {
  getWebhookDelivery,
  getWebhookEndpoint,
  listApiKeys,
  listWebhookDeliveries,
  listWebhookEndpoints,
} from 'kassa/api'
import { client } from './console.js'

/** How many rows a page of a list has. */
export const perPage = 25

/** The API keys of the project, newest first. */
export const keysQuery = (page: number) =>
  queryOptions({
    queryKey: ['keys', page],
    queryFn: ({ signal }) => listApiKeys(client, { page, perPage, signal }),
    placeholderData: keepPreviousData,
  })

/** The webhook endpoints of the project, oldest first. */
export const endpointsQuery = (page: number) =>
  queryOptions({
    queryKey: ['endpoints', page],
    queryFn: ({ signal }) => listWebhookEndpoints(client, { page, perPage, signal }),
    placeholderData: keepPreviousData,
  })

/** A webhook endpoint. */
export const endpointQuery = (endpointId: string) =>
  queryOptions({
    queryKey: ['endpoint', endpointId],
    queryFn: ({ signal }) => getWebhookEndpoint(client, { endpointId, signal }),
  })

/** The deliveries to an endpoint, newest event first, read again while some are on their way. */
export const deliveriesQuery = (endpointId: string, page: number) =>
  queryOptions({
    queryKey: ['endpoint', endpointId, 'deliveries', page],
    queryFn: ({ signal }) => listWebhookDeliveries(client, { endpointId, page, perPage, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'pending') ? 2_000 : 15_000,
  })

/** The delivery of an event, with its body and attempts, read again while it is on its way. */
export const deliveryQuery = (endpointId: string, eventId: string) =>
  queryOptions({
    queryKey: ['endpoint', endpointId, 'deliveries', 'of', eventId],
    queryFn: ({ signal }) => getWebhookDelivery(client, { endpointId, eventId, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 2_000 : 15_000),
  })

/** Returns a function that reads what starts with a key again. */
export const useReadAgain = (): ((...queryKey: string[]) => Promise<void>) => {
  const queries = useQueryClient()
  return (...queryKey) => queries.invalidateQueries({ queryKey })
}
