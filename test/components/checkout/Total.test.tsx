import { screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { expect, test } from 'vitest'
import { order } from '../../../stories/fixtures/build.js'
import { createCheckout } from '../../../stories/fixtures/checkout.js'
import { orders } from '../../../stories/fixtures/orders.js'
import { describeConformance } from '../../conformance.js'
import { mount } from '../mount.js'

describeConformance({
  name: 'Total',
  part: (props) => <Checkout.Total {...props} />,
  value: createCheckout(orders.expired),
  tag: 'span',
  data: { 'data-amount': '0.042', 'data-currency': 'eth', 'data-expired': '' },
})

const total = <Checkout.Total data-testid="total" />
const show = (checkout: Parameters<typeof mount>[0]) =>
  mount(checkout, total).getByTestId('total').textContent

test('default', () => {
  expect(show(createCheckout(orders.awaitingPaymentUsdc))).toBe('1,249.5\u00a0USDC')
})

test('behavior: every digit of the price is shown', () => {
  const amount = '12345678.123456789012345678'
  const value = createCheckout(order({ quote: { totalPrice: { amount, currency: 'eth' } } }))
  expect(show(value)).toBe('12,345,678.123456789012345678\u00a0ETH')
  expect(screen.getByTestId('total').dataset.amount).toBe(amount)
})

test('behavior: the order’s locale decides the separators', () => {
  const changes = { quote: { totalPrice: { amount: '1249.5', currency: 'usdc' } } }
  expect(show(createCheckout(order({ ...changes, locale: 'de-DE' })))).toBe('1.249,5\u00a0USDC')
})

test('behavior: an amount that is no decimal is shown as it came', () => {
  const value = createCheckout(order({ quote: { totalPrice: { amount: 'a lot', currency: 'eth' } } }))
  expect(show(value)).toBe('a lot\u00a0ETH')
})

test('behavior: nothing while there is no price', () => {
  expect(show(createCheckout(orders.requiresRecipient))).toBe('')
})

test('parameters: children, a function of the state', () => {
  mount(
    createCheckout(orders.awaitingPaymentNative),
    <Checkout.Total>{({ amount, currency }) => `${currency}:${amount}`}</Checkout.Total>,
  )
  expect(screen.getByText('eth:0.042')).toBeTruthy()
})
