import { fireEvent, screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { describe, expect, test } from 'vitest'
import { item, order } from '../../../stories/fixtures/build.js'
import { createCheckout } from '../../../stories/fixtures/checkout.js'
import { orders } from '../../../stories/fixtures/orders.js'
import { describeConformance } from '../../conformance.js'
import { mount } from '../mount.js'

const value = createCheckout(orders.partlyDelivered)

const remote = (name: string) => {
  const imageUrl = `https://pictures.example/${name}.png`
  return createCheckout(order({ lineItems: [item({ metadata: { name, imageUrl } })] }))
}

describeConformance({
  name: 'Item',
  part: (props) => <Checkout.Item {...props} />,
  value,
  tag: 'li',
  data: { 'data-status': 'completed' },
})
describeConformance({
  name: 'ItemImage',
  part: (props) => <Checkout.ItemImage {...props} />,
  value: remote('bloom'),
  tag: 'img',
  data: { 'data-status': 'loading' },
})
describeConformance({
  name: 'ItemName',
  part: (props) => <Checkout.ItemName {...props} />,
  value,
  tag: 'span',
  data: { 'data-name': 'Night Bloom' },
})
describeConformance({
  name: 'ItemQuantity',
  part: (props) => <Checkout.ItemQuantity {...props} />,
  value,
  tag: 'span',
  data: { 'data-quantity': '1' },
})
describeConformance({
  name: 'ItemPrice',
  part: (props) => <Checkout.ItemPrice {...props} />,
  value,
  tag: 'span',
  data: { 'data-amount': '0.012', 'data-currency': 'eth' },
})
describeConformance({
  name: 'ItemDelivery',
  part: (props) => <Checkout.ItemDelivery {...props} />,
  value,
  tag: 'span',
  data: { 'data-status': 'completed' },
})

test('parameters: index', () => {
  mount(
    value,
    <ul>
      <Checkout.Item index={1}>
        <Checkout.ItemName />
      </Checkout.Item>
    </ul>,
  )
  expect(screen.getByRole('listitem').textContent).toBe('Evening Tide')
  expect(screen.getByRole('listitem').dataset.status).toBe('in-progress')
})

describe('behavior: how a delivery is told', () => {
  test.each([
    ['awaiting-payment', 'Awaiting payment'],
    ['in-progress', 'On its way'],
    ['completed', 'Delivered'],
    ['failed', 'Could not be delivered'],
    ['held-at-customs', 'held at customs'],
    ['constructor', 'constructor'],
  ])('%s: %s', (status, text) => {
    const lineItems = [item({ delivery: { status } })]
    mount(createCheckout(order({ lineItems })), <Checkout.ItemDelivery data-testid="delivery" />)
    expect(screen.getByTestId('delivery').textContent).toBe(text)
  })
})

test('behavior: an unavailable item says why', () => {
  mount(
    createCheckout(orders.itemUnavailable),
    <Checkout.Items>
      <Checkout.ItemDelivery data-testid="delivery" render={<li />} />
    </Checkout.Items>,
  )
  expect(screen.getAllByTestId('delivery').map((line) => line.textContent)).toEqual([
    'Awaiting payment',
    'Sold out',
  ])
})

describe('ItemImage', () => {
  const image = () => screen.getByRole('img')

  test('behavior: follows the loading of the picture', () => {
    mount(remote('bloom'), <Checkout.ItemImage />)
    expect(image().dataset.status).toBe('loading')
    fireEvent.load(image())
    expect(image().dataset.status).toBe('loaded')
    fireEvent.error(image())
    expect(image().dataset.status).toBe('failed')
  })

  test('behavior: another picture is loading again', () => {
    const { show } = mount(remote('bloom'), <Checkout.ItemImage />)
    fireEvent.load(image())
    show(remote('tide'))
    expect(image().getAttribute('src')).toBe('https://pictures.example/tide.png')
    expect(image().dataset.status).toBe('loading')
  })

  test('behavior: a picture that was there before the page took over counts as loaded', () => {
    mount(value, <Checkout.ItemImage />)
    expect(image().dataset.status).toBe('loaded')
  })

  test('behavior: absent where the item has no picture', () => {
    mount(
      createCheckout(order({ lineItems: [item({ metadata: { name: 'Bare' } })] })),
      <Checkout.ItemImage />,
    )
    expect(screen.queryByRole('img')).toBe(null)
  })
})
