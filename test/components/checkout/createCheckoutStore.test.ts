import type { CheckoutValue } from 'kassa'
import { expect, test } from 'vitest'
import { createCheckoutStore } from '../../../src/components/checkout/createCheckoutStore.js'
import { item, order, secondItem } from '../../../stories/fixtures/build.js'
import { createCheckout } from '../../../stories/fixtures/checkout.js'
import { steps } from '../../../stories/fixtures/steps.js'

const before = order({ lineItems: [item(), secondItem()] })
const [first, second] = before.lineItems

/** Who hears of a change: the parts of the whole checkout, and those of each line item. */
const hear = (change: (value: CheckoutValue) => CheckoutValue): string[] => {
  const heard: string[] = []
  const store = createCheckoutStore(createCheckout(before))
  store.subscribe(() => heard.push('all'))
  for (const index of [0, 1]) store.subscribe(() => heard.push(`item ${index}`), index)
  store.set(change(store.get()))
  return heard
}

test('default: one line item', () => {
  const lineItems = [first, second && { ...second, quantity: 3 }].filter((line) => line !== undefined)
  expect(hear((value) => ({ ...value, order: { ...before, lineItems } }))).toEqual(['all', 'item 1'])
})

test('behavior: the clock is nothing to the items', () => {
  expect(hear((value) => ({ ...value, nowMs: 1 }))).toEqual(['all'])
})

test.each<[string, (value: CheckoutValue) => CheckoutValue]>([
  ['another locale', (value) => ({ ...value, order: { ...before, locale: 'de-DE' } })],
  ['another step', (value) => ({ ...value, step: steps.checking })],
  ['fewer items', (value) => ({ ...value, order: { ...before, lineItems: before.lineItems.slice(0, 1) } })],
  ['no order', (value) => ({ ...value, order: undefined })],
])('behavior: %s is something to all', (_, change) => {
  expect(hear(change)).toEqual(['all', 'item 0', 'item 1'])
})
