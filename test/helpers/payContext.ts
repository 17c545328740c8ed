import { QueryClient } from '@tanstack/react-query'
import { createClient } from '../../src/api/index.js'
import { createMemoryStorage, createPaymentAttemptStore } from '../../src/chain/index.js'
import type { PayContext, SentAttempt, TaskContext } from '../../src/pay/payContext.js'
import { orderQueryKey } from '../../src/query/keys.js'
import type { CheckoutEvent, PayStep } from '../../src/query.js'
import type { Order } from '../../src/schema/index.js'
import { orders } from '../../src/testing/orders.js'
import { createScriptedNode } from './scriptedNode.js'

/** The order of a test before it is paid. */
export const unpaid: Order = { ...orders.awaitingPaymentNative, orderId: 'order' }

/** That order with other facts about its payment. */
export const withPayment = (payment: Partial<Order['payment']>, fields: Partial<Order> = {}): Order => ({
  ...unpaid,
  ...fields,
  payment: { ...unpaid.payment, ...payment },
})

/**
 * What the parts of the payment engine need, on a scripted chain, without a service: the order is what the test
 * shows, and the answers to requests are what it gives.
 */
export const createPayContext = (attempts: readonly SentAttempt[] = [], node = createScriptedNode()) => {
  const clock = { nowMs: 1_000 }
  const service: { onRequest(url: string): Promise<Response> | Response } = {
    onRequest: () => new Promise<Response>(() => undefined),
  }
  const requests: string[] = []
  const client = createClient({
    baseUrl: 'http://service.test/api',
    fetch: async (input) => {
      const url = String(input instanceof Request ? input.url : input)
      requests.push(new URL(url).pathname.split('/').at(-1) ?? '')
      return service.onRequest(url)
    },
  })
  const steps: PayStep[] = []
  const events: CheckoutEvent[] = []
  const lateAnswers: unknown[] = []
  const context: TaskContext & Pick<PayContext, 'onLateAnswer'> = {
    orderId: 'order',
    clientSecret: 'secret',
    config: node.config,
    client,
    queryClient: new QueryClient(),
    attemptStore: createPaymentAttemptStore(createMemoryStorage()),
    onEvent: (event) => void events.push(event),
    now: () => clock.nowMs,
    setStep: (step) => void steps.push(step),
    onLateAnswer: (error) => void lateAnswers.push(error),
  }
  for (const attempt of attempts) context.attemptStore.put(attempt)
  const show = (order: Order): void => {
    context.queryClient.setQueryData(orderQueryKey(client, 'order'), order)
  }
  show(unpaid)
  return { node, clock, service, requests, steps, events, lateAnswers, context, show }
}
