import { screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { expect, test } from 'vitest'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { discounted } from '../../../../stories/fixtures/sale.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

describeConformance({
  name: 'Promotion',
  part: (props) => <Checkout.Promotion {...props} />,
  value: createCheckout(discounted),
  tag: 'span',
  data: { 'data-code': 'summer-20', 'data-status': 'applied' },
})

const show = (order = discounted) => {
  mount(createCheckout(order), <Checkout.Promotion data-testid="promotion" />)
  return screen.queryByTestId('promotion')
}

test('default', () => {
  expect(show()?.textContent).toBe('SUMMER-20')
})

test('behavior: a code that no longer lowers the price', () => {
  const promotion = { code: 'summer-20', status: 'expired' } as const
  expect(show({ ...discounted, quote: { ...discounted.quote, promotion } })?.textContent).toBe(
    'Your promotion code no longer applies.',
  )
})

test('behavior: absent without a code', () => {
  expect(show(orders.awaitingPaymentNative)).toBe(null)
})
