import { QueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { expectTypeOf, test } from 'vitest'
import type { Client } from '../../src/api/index.js'
import { orderQueryOptions } from '../../src/query.js'
import type { Order } from '../../src/schema/index.js'

const client = {} as Client
const queryClient = new QueryClient()

test('default', () => {
  const options = orderQueryOptions(client, { orderId: 'one' })
  const held = queryClient.getQueryData(options.queryKey)
  expectTypeOf(held).toEqualTypeOf<Order | undefined>()
  expectTypeOf(queryClient.fetchQuery(options)).resolves.toEqualTypeOf<Order>()
  expectTypeOf(useSuspenseQuery(options).data).toEqualTypeOf<Order>()
})

test('parameters: query.select', () => {
  const query = { select: (order: Order) => order.lineItems.length }
  const options = orderQueryOptions(client, { orderId: 'one', query })
  const held = queryClient.getQueryData(options.queryKey)
  expectTypeOf(held).toEqualTypeOf<Order | undefined>()
  expectTypeOf(useSuspenseQuery(options).data).toEqualTypeOf<number>()
})
