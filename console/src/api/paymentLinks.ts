import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listCollections, listPaymentLinks } from 'kassa/api'
import { client } from './console.js'
import { perPage } from './developers.js'

/** The payment links of the project, newest first, read again now and then, because they are used meanwhile. */
export const paymentLinksQuery = (page: number) =>
  queryOptions({
    queryKey: ['payment-links', page],
    queryFn: ({ signal }) => listPaymentLinks(client, { page, perPage, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  })

/** The collections that a link can sell: the newest hundred with a price. */
export const soldCollectionsQuery = queryOptions({
  queryKey: ['collections', 'sold'],
  queryFn: async ({ signal }) => {
    const { results } = await listCollections(client, { perPage: 100, signal })
    return results.filter(({ payments }) => payments !== undefined)
  },
})
