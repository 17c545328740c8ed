import { screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { expect, test } from 'vitest'
import { order } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

const worth = (fiat: { amount: string; currency: string }, currency = 'eth', locale = 'en-US') =>
  createCheckout(order({ locale, quote: { totalPrice: { amount: '0.042', currency, fiat } } }))

describeConformance({
  name: 'FiatTotal',
  part: (props) => <Checkout.FiatTotal {...props} />,
  value: worth({ amount: '126.00', currency: 'usd' }),
  tag: 'span',
  data: { 'data-amount': '126.00', 'data-currency': 'usd' },
})

const show = (value: ReturnType<typeof worth>) => {
  mount(value, <Checkout.FiatTotal data-testid="fiat" />)
  return screen.queryByTestId('fiat')?.textContent
}

test('default', () => {
  expect(show(worth({ amount: '126.00', currency: 'usd' }))).toBe('≈\u00a0$126')
})

test.each([
  ['cents', '18.50', 'usd', 'en-US', '≈\u00a0$18.50'],
  ['less than a cent', '0.00', 'usd', 'en-US', '≈\u00a0$0'],
  ['the language of the order', '1249.50', 'usd', 'de-DE', '≈\u00a01.249,50\u00a0$'],
  ['another currency', '30', 'eur', 'en-US', '≈\u00a0€30'],
  ['a currency that is no code', '30', 'gold', 'en-US', '≈\u00a030\u00a0GOLD'],
  ['an amount that is no decimal', 'much', 'usd', 'en-US', '≈\u00a0much\u00a0USD'],
])('behavior: %s', (_, amount, currency, locale, text) => {
  expect(show(worth({ amount, currency }, 'eth', locale))).toBe(text)
})

test('behavior: absent without a rate, without a price, and beside a dollar token', () => {
  expect(show(createCheckout(orders.awaitingPaymentNative))).toBe(undefined)
  expect(show(createCheckout(orders.requiresRecipient))).toBe(undefined)
  expect(show(worth({ amount: '126.00', currency: 'usd' }, 'usdc'))).toBe(undefined)
})
