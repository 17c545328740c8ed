import { screen, within } from '@testing-library/react'
import { Checkout } from 'kassa'
import { expect, test } from 'vitest'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

describeConformance({
  name: 'Items',
  takesList: true,
  part: (props) => <Checkout.Items {...props} />,
  value: createCheckout(orders.partlyDelivered),
  tag: 'ul',
  data: { 'data-count': '2' },
})

const lines = () => screen.getAllByRole('listitem').map((line) => line.textContent)

test('behavior: says that it is a list, which some screen readers do not believe one without marks', () => {
  mount(createCheckout(orders.partlyDelivered), <Checkout.Items />)
  expect(screen.getByRole('list').getAttribute('role')).toBe('list')
})

test('default', () => {
  mount(createCheckout(orders.partlyDelivered), <Checkout.Items />)
  expect(lines()).toEqual([
    ' Night Bloom ×\u00a01 0.012\u00a0ETH Delivered',
    ' Evening Tide ×\u00a02 0.03\u00a0ETH On its way',
  ])
  const [first] = screen.getAllByRole('listitem')
  expect(first && within(first).getByRole('img').getAttribute('alt')).toBe('Night Bloom')
})

test('parameters: children, a template', () => {
  mount(
    createCheckout(orders.partlyDelivered),
    <Checkout.Items>
      <Checkout.Item>
        <Checkout.ItemName />
      </Checkout.Item>
    </Checkout.Items>,
  )
  expect(lines()).toEqual(['Night Bloom', 'Evening Tide'])
})

test('parameters: children, a function of the item', () => {
  mount(
    createCheckout(orders.partlyDelivered),
    <Checkout.Items>
      {(item, index) => (
        <Checkout.Item>
          {index + 1}. {item.metadata?.name} <Checkout.ItemDelivery />
        </Checkout.Item>
      )}
    </Checkout.Items>,
  )
  expect(lines()).toEqual(['1. Night Bloom Delivered', '2. Evening Tide On its way'])
})

test('behavior: empty until the order has come', () => {
  mount(createCheckout(undefined), <Checkout.Items />)
  expect(screen.getByRole('list').children).toHaveLength(0)
})
