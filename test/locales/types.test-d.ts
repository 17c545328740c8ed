import { expectTypeOf, test } from 'vitest'
import type { CheckoutProviderProps } from '../../src/index.js'
import { messages as english } from '../../src/locales/en-US.js'
import { loadMessages, type Messages } from '../../src/locales/index.js'

test('default', () => {
  expectTypeOf(english).toEqualTypeOf<Messages>()
  expectTypeOf({ ...english, pay: 'For {amount}, please' as const }).toExtend<Messages>()
})

test('error: a sentence is missing', () => {
  expectTypeOf<Omit<Messages, 'rejected'>>().not.toExtend<Messages>()
  // @ts-expect-error a translation says everything
  const messages: Messages = { locale: 'de-DE', pay: '{amount} bezahlen' }
  expectTypeOf(messages).toEqualTypeOf<Messages>()
})

test('error: a sentence forgets what is filled in', () => {
  // @ts-expect-error no place for the amount
  const pay: Messages['pay'] = 'Pay'
  // @ts-expect-error the count is missing
  const deliveredSome: Messages['deliveredSome'] = '{done} delivered'
  // @ts-expect-error the place has another name
  const wrongChain: Messages['wrongChain'] = 'Switch to {network}'
  expectTypeOf([pay, deliveredSome, wrongChain]).toExtend<string[]>()
})

test('parameters: CheckoutProvider messages', () => {
  type Given = CheckoutProviderProps['messages']
  expectTypeOf(english).toExtend<Given>()
  expectTypeOf(loadMessages).toExtend<Given>()
  expectTypeOf<{ notPaid: string }>().toExtend<Given>()
  expectTypeOf<{ pay: 'Buy for {amount}' }>().toExtend<Given>()
  expectTypeOf<{ pay: 'Buy' }>().not.toExtend<Given>()
  expectTypeOf<{ notPaid: number }>().not.toExtend<Given>()
})
