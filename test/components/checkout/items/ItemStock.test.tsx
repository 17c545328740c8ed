import { screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { expect, test } from 'vitest'
import { messages } from '../../../../src/locales/de-DE.js'
import { item, order } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

const left = (available: number | undefined, quantity = 1, changes = {}) =>
  createCheckout(order({ lineItems: [item({ quantity, quote: { available } })] }), changes)

describeConformance({
  name: 'ItemStock',
  part: (props) => <Checkout.ItemStock {...props} />,
  value: left(99, 100),
  tag: 'span',
  data: { 'data-available': '99', 'data-short': '' },
})

const show = (value: ReturnType<typeof left>) => {
  mount(value, <Checkout.ItemStock data-testid="stock" />)
  return screen.queryByTestId('stock')
}

test('default', () => {
  const element = show(left(240))
  expect(element?.textContent).toBe('240 left')
  expect(element?.hasAttribute('data-short')).toBe(false)
})

test('behavior: none left', () => {
  expect(show(left(0))?.textContent).toBe('No longer available')
})

test('behavior: in the language of the order', () => {
  expect(show(left(3, 1, { messages }))?.textContent).toBe('Noch 3 verfügbar')
})

test('behavior: absent without a limit', () => {
  expect(show(left(undefined))).toBe(null)
})
