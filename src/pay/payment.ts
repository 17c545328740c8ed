import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../api/index.js'
import { createLazyPayment } from './createLazyPayment.js'
import type { Payment } from './createPayment.js'

const payments = new WeakMap<QueryClient, Map<string, Payment>>()

/** Returns the payment of an order, the same one for every component, hook and function. */
export const getPayment = (queryClient: QueryClient, client: Client, orderId: string): Payment => {
  const byOrder = payments.get(queryClient) ?? new Map<string, Payment>()
  payments.set(queryClient, byOrder)
  const key = `${client.baseUrl} ${orderId}`
  const payment = byOrder.get(key) ?? createLazyPayment()
  byOrder.set(key, payment)
  return payment
}
