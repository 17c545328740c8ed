import { expectTypeOf, test } from 'vitest'
import { createOrder } from '../../src/api/index.js'
import type {
  CartOrderBody,
  CreateOrderBody,
  EditOrderBody,
  Order,
  PaymentMethod,
  UnknownMember,
} from '../../src/schema/index.js'

const lineItems = { collectionLocator: 'kassa:poster' }

test('default: a chain of the interface and any currency pay', () => {
  expectTypeOf<{ method: 'base-sepolia'; currency: 'eth' }>().toExtend<CreateOrderBody['payment']>()
  expectTypeOf<{ method: 'solana'; currency: 'bonk' }>().toExtend<CreateOrderBody['payment']>()
})

test('error: a mistyped chain does not compile', () => {
  const create = (client: Parameters<typeof createOrder>[0]) =>
    createOrder(client, {
      // @ts-expect-error
      body: { lineItems, payment: { method: 'base-sepolla', currency: 'eth' } },
    })
  expectTypeOf(create).toBeFunction()
  type Mistyped = { method: 'base-sepolla'; currency: 'eth' }
  expectTypeOf<Mistyped>().not.toExtend<NonNullable<EditOrderBody['payment']>>()
  expectTypeOf<Mistyped>().not.toExtend<CartOrderBody['payment']>()
})

test('behavior: what an order of a newer service names goes back in an edit', () => {
  expectTypeOf<NonNullable<Order['payment']['method']>>().toEqualTypeOf<PaymentMethod | UnknownMember>()
  expectTypeOf<NonNullable<Order['payment']['method']>>().toExtend<
    NonNullable<EditOrderBody['payment']>['method']
  >()
})

test('error: a mistyped field of an answer does not compile, at any depth', () => {
  const read = (order: Order) => [
    // @ts-expect-error
    order.fase,
    // @ts-expect-error
    order.payment.staus,
    // @ts-expect-error
    order.lineItems[0]?.quote.unavailabilityReason?.kode,
    // @ts-expect-error
    order.quote.totalPrice?.ammount,
    order.lineItems[0]?.callData?.anything,
  ]
  expectTypeOf(read).toBeFunction()
})
