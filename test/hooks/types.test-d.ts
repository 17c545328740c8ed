import type { UseQueryResult } from '@tanstack/react-query'
import { describe, expectTypeOf, test } from 'vitest'
import {
  type AnyKassaError,
  type CartOrderBody,
  type CheckoutEvent,
  type CreateOrderBody,
  isKassaError,
  type Order,
  type PayStep,
  type Remedy,
  useCreateOrder,
  useEditOrder,
  useOrder,
} from '../../src/index.js'
import type { Collection, UnknownMember } from '../../src/schema/index.js'

const parameters = { orderId: 'one', clientSecret: 'secret' }

describe('useOrder', () => {
  test('default', () => {
    expectTypeOf(useOrder(parameters)).toEqualTypeOf<UseQueryResult<Order, AnyKassaError>>()
  })

  test('parameters: query.select', () => {
    const { data } = useOrder({ ...parameters, query: { select: (order) => order.lineItems.length } })
    expectTypeOf(data).toEqualTypeOf<number | undefined>()
  })

  test('behavior: the known members of a list are suggested, and a mistyped one does not compile', () => {
    expectTypeOf<'delivery'>().toExtend<Order['phase']>()
    expectTypeOf<UnknownMember>().toExtend<Order['phase']>()
    const order = {} as Order
    // @ts-expect-error there is no phase `complete`
    expectTypeOf(order.phase === 'complete').toEqualTypeOf<boolean>()
    expectTypeOf(order.phase === 'completed').toEqualTypeOf<boolean>()
    // @ts-expect-error there is no status `succeeded` of a payment
    expectTypeOf(order.payment.status === 'succeeded').toEqualTypeOf<boolean>()
    // @ts-expect-error there is no standard `erc721`
    expectTypeOf(({} as Collection).onChain.type === 'erc721').toEqualTypeOf<boolean>()
  })
})

describe('useCreateOrder', () => {
  test('behavior: a single line item and a list are both accepted, floats and numbers are not', () => {
    const { mutate } = useCreateOrder()
    expectTypeOf(mutate).parameter(0).toEqualTypeOf<CreateOrderBody | CartOrderBody>()
    expectTypeOf<{ collectionLocator: string }>().toExtend<CreateOrderBody['lineItems']>()
    expectTypeOf<{ collectionLocator: string }[]>().toExtend<CreateOrderBody['lineItems']>()
    expectTypeOf<{ collectionLocator: string; callData: { totalPrice: number } }>().not.toExtend<
      CreateOrderBody['lineItems']
    >()
  })
})

describe('useEditOrder', () => {
  test('behavior: line items cannot be edited', () => {
    const { mutate } = useEditOrder(parameters)
    expectTypeOf(mutate).parameter(0).not.toHaveProperty('lineItems')
  })
})

describe('errors', () => {
  test('behavior: the code narrows the context', () => {
    const error = {} as AnyKassaError
    if (error.code === 'pay.wrong-account') expectTypeOf(error.context.expected).toEqualTypeOf<string>()
    const caught: unknown = error
    if (isKassaError(caught, 'pay.amount-mismatch'))
      expectTypeOf(caught.context.quoted).toEqualTypeOf<string>()
  })

  test('behavior: these are all the steps there are', () => {
    expectTypeOf<PayStep['status']>().toEqualTypeOf<
      | 'idle'
      | 'connecting'
      | 'switching-chain'
      | 'checking'
      | 'awaiting-signature'
      | 'broadcast'
      | 'confirming'
      | 'paid'
      | 'uncertain'
      | 'failed'
    >()
  })

  test('behavior: every error says whether to try again, and what helps', () => {
    expectTypeOf<AnyKassaError['retryable']>().toEqualTypeOf<boolean>()
    expectTypeOf<AnyKassaError['remedy']>().toEqualTypeOf<Remedy>()
  })

  test('behavior: an event tells no secret and no address', () => {
    type Keys<Event> = Event extends unknown ? keyof Event : never
    expectTypeOf<
      Extract<Keys<CheckoutEvent>, `${string}${'ecret' | 'ddress'}${string}`>
    >().toEqualTypeOf<never>()
  })

  test('behavior: a step narrows by its status', () => {
    const step = {} as PayStep
    if (step.status === 'confirming') expectTypeOf(step.txId).toEqualTypeOf<string | undefined>()
    if (step.status === 'failed') expectTypeOf(step.error).toEqualTypeOf<AnyKassaError>()
  })
})
