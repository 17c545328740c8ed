import { screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { expect, test } from 'vitest'
import { messages } from '../../../../src/locales/de-DE.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

const trackingUrl = 'https://carrier.example/42'
const shipment = { status: 'shipped', carrier: 'DHL', trackingUrl, lineItems: [{ index: 1 }] }
const ship = (shipments: unknown, changes = {}) => createCheckout({ ...orders.completed, shipments }, changes)

describeConformance({
  name: 'ItemTracking',
  part: (props) => <Checkout.ItemTracking href="#" target="_self" {...props} />,
  value: ship([{ ...shipment, lineItems: [{ index: 0 }] }]),
  tag: 'a',
  data: { 'data-carrier': 'DHL' },
})

const show = (value: ReturnType<typeof ship>) =>
  mount(
    value,
    <Checkout.Items>
      <Checkout.Item>
        <Checkout.ItemDelivery /> <Checkout.ItemTracking />
      </Checkout.Item>
    </Checkout.Items>,
  )
const told = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent?.trim())

test('default: the line items of a shipment tell their carrier, with a link to its page', () => {
  show(ship([shipment]))
  expect(told()).toEqual(['Delivered', 'Shipped with DHL Track parcel'])
  const link = screen.getByRole('link')
  expect(link.getAttribute('href')).toBe(trackingUrl)
  expect(link.getAttribute('rel')).toBe('noreferrer')
})

test('behavior: in the language of the order', () => {
  show(ship([shipment], { messages }))
  expect(told()).toEqual(['Geliefert', 'Verschickt mit DHL Sendung verfolgen'])
})

test('behavior: what was taken back is not shipped', () => {
  show(ship([{ ...shipment, status: 'cancelled' }]))
  expect(told()).toEqual(['Delivered', 'Delivered'])
})

test.each(['javascript:alert(1)', 'http://carrier.example/42', 'data:text/html,x', 7, undefined])(
  'behavior: no link to %s',
  (url) => {
    show(ship([{ ...shipment, trackingUrl: url }]))
    expect(told()).toEqual(['Delivered', 'Shipped with DHL'])
    expect(screen.queryByRole('link')).toBe(null)
  },
)

test.each([null, 'x', [null, 7, {}, { carrier: 7 }, { carrier: 'DHL', lineItems: [null] }], {}])(
  'behavior: shipments that cannot be read are none: %j',
  (shipments) => {
    show(ship(shipments))
    expect(told()).toEqual(['Delivered', 'Delivered'])
  },
)

test('behavior: the receipt tells it', () => {
  mount(ship([shipment]), <Checkout.Receipt />)
  expect(screen.getByRole('region').textContent).toContain('Shipped with DHL Track parcel')
})
