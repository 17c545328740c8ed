import { expectTypeOf, test } from 'vitest'
import type {
  ActionData,
  Order,
  Transaction,
  UnknownEventType,
  WebhookEvent,
  WebhookEventType,
} from '../../src/schema/index.js'

test('behavior: the type of an event narrows its data', () => {
  const event = {} as WebhookEvent
  switch (event.type) {
    case 'orders.quote.created':
    case 'orders.delivery.failed':
      expectTypeOf(event.data).toEqualTypeOf<Order>()
      break
    case 'nfts.create.failed':
      expectTypeOf(event.data).toEqualTypeOf<ActionData>()
      break
    case 'wallets.transaction.failed':
      expectTypeOf(event.data).toEqualTypeOf<Transaction>()
      break
  }
  if (event.type === 'collections.update.succeeded')
    expectTypeOf(event.data.changes).toEqualTypeOf<string[] | undefined>()
})

test('behavior: a type that is not known is a string, and its data are unknown', () => {
  const event = {} as WebhookEvent
  switch (event.type) {
    case 'subscriptions.renewed' as UnknownEventType:
      expectTypeOf(event.data).toEqualTypeOf<unknown>()
      break
    default:
      expectTypeOf(event.type).toExtend<string>()
      expectTypeOf(event.data).toEqualTypeOf<unknown>()
  }
})

test('behavior: every known type is one of the union', () => {
  expectTypeOf<Exclude<WebhookEvent['type'], UnknownEventType>>().toEqualTypeOf<WebhookEventType>()
})
