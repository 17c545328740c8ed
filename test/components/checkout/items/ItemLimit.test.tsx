import { screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { expect, test } from 'vitest'
import { messages } from '../../../../src/locales/de-DE.js'
import { item, order } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

const limited = (left: number, quantity = 1, changes = {}) =>
  createCheckout(order({ lineItems: [item({ quantity, quote: { allowance: { max: 4, left } } })] }), changes)

describeConformance({
  name: 'ItemLimit',
  part: (props) => <Checkout.ItemLimit {...props} />,
  value: limited(1, 2),
  tag: 'span',
  data: { 'data-max': '4', 'data-left': '1', 'data-over': '' },
})

const show = (value: ReturnType<typeof limited>) => {
  mount(value, <Checkout.ItemLimit data-testid="limit" />)
  return screen.queryByTestId('limit')
}

test('default', () => {
  const element = show(limited(3))
  expect(element?.textContent).toBe('Limit per buyer: 4. Left for you: 3.')
  expect(element?.hasAttribute('data-over')).toBe(false)
})

test('behavior: in the language of the order', () => {
  expect(show(limited(0, 1, { messages }))?.textContent).toBe('Limit pro Person: 4. Noch für Sie: 0.')
})

test.each([
  [{ wallet: 2 }, 'At most 2 per wallet. Left for you: 1.'],
  [{ email: 2 }, 'At most 2 per e-mail address. Left for you: 1.'],
  [{ wallet: 3, payer: 2 }, 'At most 3 per wallet. At most 2 per paying account. Left for you: 1.'],
])('parameters: maxPerBuyer %o', (maxPerBuyer, words) => {
  const quote = { allowance: { max: 2, left: 1 }, sale: { maxPerBuyer } }
  expect(show(createCheckout(order({ lineItems: [item({ quote })] })))?.textContent).toBe(words)
})

test('behavior: says whom a phase is for', () => {
  const sale = { phase: { name: 'Members', isForAllowList: true } }
  const words = 'Members: only for wallets on its list.'
  expect(show(createCheckout(order({ lineItems: [item({ quote: { sale } })] })))?.textContent).toBe(words)
})

test('behavior: absent without a limit', () => {
  expect(show(createCheckout(order({ lineItems: [item()] })))).toBe(null)
})
