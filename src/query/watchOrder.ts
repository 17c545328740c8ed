import type { QueryClient } from '@tanstack/react-query'
import type { Order } from '../schema/index.js'
import type { OrderQueryKey } from './keys.js'

/** A wait that can be given up. */
export type Watch = { promise: Promise<Order>; stop(): void }

/** Waits until the order in the query cache, kept fresh by whoever polls it, satisfies a condition. */
export const watchOrder = (
  queryClient: QueryClient,
  queryKey: OrderQueryKey,
  isMet: (order: Order) => boolean,
): Watch => {
  const { promise, resolve } = makeDeferred<Order>()
  const check = (): void => {
    const order = queryClient.getQueryData<Order>(queryKey)
    if (order && isMet(order)) {
      stop()
      resolve(order)
    }
  }
  const stop = queryClient.getQueryCache().subscribe(check)
  check()
  return { promise, stop }
}

const makeDeferred = <Value>() => {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
