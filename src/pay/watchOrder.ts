import { QueryObserver } from '@tanstack/react-query'
import { orderQueryOptions } from '../query/order.js'
import type { Order } from '../schema/index.js'
import type { OrderAccess } from './payContext.js'
import type { Wait } from './wait.js'

/** Follows an order, with or without a mounted component, until it satisfies a condition. */
export const watchOrder = (
  { queryClient, client, orderId, clientSecret }: OrderAccess,
  isMet: (order: Order) => boolean,
): Wait<Order> => {
  const observer = new QueryObserver(queryClient, orderQueryOptions(client, { orderId, clientSecret }))
  let stop = (): void => undefined
  const promise = new Promise<Order>((resolve) => {
    const check = (order: Order | undefined): void => {
      if (!order || !isMet(order)) return
      stop()
      resolve(order)
    }
    stop = observer.subscribe(({ data }) => check(data))
    check(observer.getCurrentResult().data)
  })
  return { promise, stop: () => stop() }
}
