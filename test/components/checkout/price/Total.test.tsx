import { screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { expect, test } from 'vitest'
import { order } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

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
  expect(show(createCheckout(orders.awaitingPaymentUsdc))).toBe('1,249.50\u00a0USDC')
})

test('behavior: a price too long to read is rounded up and marked so, and read out whole', () => {
  const amount = '12345678.123456789012345678'
  const value = createCheckout(order({ quote: { totalPrice: { amount, currency: 'eth' } } }))
  expect(show(value)).toBe('≈\u00a012,345,678.123457\u00a0ETH')
  const whole = '12,345,678.123456789012345678\u00a0ETH'
  const element = screen.getByRole('img', { name: whole })
  expect(element.title).toBe(whole)
  expect(element.dataset.amount).toBe(amount)
  expect(element.dataset.rounded).toBe('')
})

test('parameters: children, of a rounded price, are read as they stand', () => {
  const amount = '12345678.123456789012345678'
  const value = createCheckout(order({ quote: { totalPrice: { amount, currency: 'eth' } } }))
  mount(value, <Checkout.Total data-testid="total">{({ currency }) => `much ${currency}`}</Checkout.Total>)
  const element = screen.getByTestId('total')
  expect(element.textContent).toBe('much eth')
  expect(element.hasAttribute('role')).toBe(false)
  expect(element.hasAttribute('aria-label')).toBe(false)
  expect(element.dataset.rounded).toBe('')
})

test('parameters: children, a function that returns undefined keeps what a screen reader reads', () => {
  const amount = '12345678.123456789012345678'
  const value = createCheckout(order({ quote: { totalPrice: { amount, currency: 'eth' } } }))
  mount(value, <Checkout.Total>{() => undefined}</Checkout.Total>)
  expect(screen.getByRole('img', { name: '12,345,678.123456789012345678\u00a0ETH' }).textContent).toBe(
    '≈\u00a012,345,678.123457\u00a0ETH',
  )
})

test('behavior: a price that is shown whole is plain text', () => {
  show(createCheckout(orders.awaitingPaymentNative))
  const element = screen.getByTestId('total')
  expect(element.hasAttribute('title')).toBe(false)
  expect(element.hasAttribute('role')).toBe(false)
  expect(element.dataset.rounded).toBe(undefined)
})

test('behavior: the pay button names the price to the last digit', () => {
  const amount = '0.012345678901234567'
  const value = createCheckout(order({ quote: { totalPrice: { amount, currency: 'eth' } } }))
  mount(value, <Checkout.Pay />)
  expect(screen.getByRole('button').textContent).toBe(`Pay ${amount}\u00a0ETH`)
})

test('behavior: the order’s locale decides the separators', () => {
  const changes = { quote: { totalPrice: { amount: '1249.5', currency: 'usdc' } } }
  expect(show(createCheckout(order({ ...changes, locale: 'de-DE' })))).toBe('1.249,50\u00a0USDC')
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

test('behavior: zero is free', () => {
  mount(createCheckout(orders.free), <Checkout.Total data-testid="total" />)
  expect(screen.getByTestId('total').textContent).toBe('Free')
})
