'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { AnyKassaError } from '../../errors/index.js'
import { useClient } from '../../hooks/useClient.js'
import { useOrder } from '../../hooks/useOrder.js'
import { createStore, type Store } from '../../internal/store.js'
import type { OrderParameters } from '../../query/index.js'
import { orderQueryKey } from '../../query/keys.js'
import type { Order } from '../../schema/index.js'

/** An order and its error as last read. */
export type Reading = {
  order: Order | undefined
  /** The first of several consecutive errors with the same code. */
  error: AnyKassaError | undefined
}

type QueryState = { data: Order | undefined; error: AnyKassaError | null; status: string }

/**
 * Takes an order and its error from the state of its query. Before the first order arrives, TanStack drops
 * the error at each retry; without this, the same failure would be announced again with every retry.
 */
const read = ({ data, error, status }: QueryState, last?: Reading): Reading => {
  const isSteady = error ? error.code === last?.error?.code : status === 'pending'
  return { order: data, error: isSteady ? last?.error : (error ?? undefined) }
}

/** Follows an order as `useOrder` does, but writes changes to a store instead of rendering. */
export const useReading = (parameters: OrderParameters): Store<Reading> => {
  const client = useClient()
  const queryClient = useQueryClient()
  const queryKey = orderQueryKey(client, parameters.orderId)
  const { queryHash } = queryClient.defaultQueryOptions({ queryKey })
  const result = useOrder({ ...parameters, query: { notifyOnChangeProps: [] } })
  const [reading] = useState(() => createStore(read(result)))
  useEffect(() => {
    const cache = queryClient.getQueryCache()
    const update = (state: QueryState): void => reading.set(read(state, reading.get()))
    const known = cache.get<Order, AnyKassaError>(queryHash)
    if (known) update(known.state)
    return cache.subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryHash === queryHash) update(query.state)
    })
  }, [reading, queryClient, queryHash])
  return reading
}
