import { screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { describe, expect, test } from 'vitest'
import { charge, item, order } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

const value = createCheckout(orders.awaitingPaymentNative)

describeConformance({
  name: 'Charge',
  part: (props) => <Checkout.Charge of="salesTax" {...props} />,
  value,
  tag: 'span',
  data: { 'data-amount': '0', 'data-currency': 'eth', 'data-zero': '' },
})
describeConformance({
  name: 'ItemCharge',
  part: (props) => <Checkout.ItemCharge of="unit" {...props} />,
  value,
  tag: 'span',
  data: { 'data-amount': '0.012', 'data-currency': 'eth' },
})

test('default', () => {
  mount(
    value,
    <>
      <Checkout.Charge of="unit" data-testid="all" />
      <ul>
        <Checkout.Item index={1}>
          <Checkout.ItemCharge of="unit" data-testid="one" />
        </Checkout.Item>
      </ul>
    </>,
  )
  expect(screen.getByTestId('all').textContent).toBe('0.042\u00a0ETH')
  expect(screen.getByTestId('one').textContent).toBe('0.03\u00a0ETH')
})

test('parameters: of', () => {
  const charges = { ...charge('10', 'usdc'), salesTax: { amount: '1.9', currency: 'usdc' } }
  mount(
    createCheckout(order({ lineItems: [item({ quote: { charges } })] })),
    <p data-testid="charges">
      <Checkout.Charge of="unit" /> <Checkout.Charge of="salesTax" /> <Checkout.Charge of="shipping" />
    </p>,
  )
  expect(screen.getByTestId('charges').textContent).toBe('10.00\u00a0USDC 1.90\u00a0USDC 0.00\u00a0USDC')
})

describe('behavior: absent where the order does not say', () => {
  const untold = item({ quote: { charges: undefined } })
  test.each([
    ['no charges', order({ lineItems: [untold] })],
    ['no items', order({ lineItems: [] })],
    ['no order', undefined],
  ])('%s', (_, shown) => {
    mount(
      createCheckout(shown),
      <p data-testid="charges">
        <Checkout.Charge of="unit" />
        <Checkout.ItemCharge of="unit" />
      </p>,
    )
    expect(screen.getByTestId('charges').children).toHaveLength(0)
  })
})
