import { fireEvent, screen } from '@testing-library/react'
import { Checkout, type LineItem } from 'kassa'
import { describe, expect, test } from 'vitest'
import { messages as german } from '../../../../src/locales/de-DE.js'
import { buyer, item, order } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { describeConformance } from '../../../conformance.js'
import { unheardOf } from '../../../helpers/unheardOf.js'
import { mount } from '../../mount.js'

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
describeConformance({
  name: 'ItemDescription',
  part: (props) => <Checkout.ItemDescription {...props} />,
  value,
  tag: 'p',
  data: {},
})
describeConformance({
  name: 'ItemRecipient',
  part: (props) => <Checkout.ItemRecipient {...props} />,
  value: createCheckout(
    order({ lineItems: [item({ delivery: { recipient: { email: 'ada@example.com' } } })] }),
  ),
  tag: 'span',
  data: { 'data-recipient': 'ada@example.com' },
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

test('behavior: without a recipient there is the price of the goods', () => {
  mount(createCheckout(orders.requiresRecipient), <Checkout.ItemPrice />)
  expect(screen.getByText('0.012 ETH').dataset.currency).toBe('eth')
})

describe('behavior: the texts of a delivery', () => {
  test.each([
    ['awaiting-payment', 'Awaiting payment'],
    ['in-progress', 'On its way'],
    ['completed', 'Delivered'],
    ['failed', 'Could not be delivered'],
    ['held-at-customs', 'held at customs'],
    ['constructor', 'constructor'],
  ])('%s: %s', (status, text) => {
    const lineItems = [item({ delivery: { status: unheardOf(status) } })]
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

test('behavior: an item of which too few are left says how many', () => {
  const unavailabilityReason = { code: 'supply-insufficient', message: 'only 99 of Night Bloom are left' }
  const quote = { status: 'item-unavailable', unavailabilityReason } as const
  const show = (available: number | undefined) => {
    const lineItems = [item({ quantity: 100, quote: { ...quote, available } })]
    mount(createCheckout(order({ lineItems }), { messages: german }), <Checkout.ItemDelivery />)
  }
  show(99)
  expect(screen.getByText('Noch 99 verfügbar')).toBeTruthy()
  // A service that does not say the number says it in its sentence.
  show(undefined)
  expect(screen.getByText('only 99 of Night Bloom are left')).toBeTruthy()
})

describe('ItemDescription', () => {
  test('default', () => {
    mount(value, <Checkout.ItemDescription />)
    expect(screen.getByRole('paragraph').textContent).toBe('A flower that opens after dark.')
  })

  test('behavior: absent where the merchant says nothing', () => {
    mount(
      createCheckout(order({ lineItems: [item({ metadata: { name: 'Bare' } })] })),
      <Checkout.ItemDescription />,
    )
    expect(screen.queryByRole('paragraph')).toBe(null)
  })
})

describe('ItemRecipient', () => {
  const show = (recipient: LineItem['delivery']['recipient']) => {
    const lineItems = [item({ delivery: { recipient } })]
    mount(createCheckout(order({ lineItems })), <Checkout.ItemRecipient data-testid="recipient" />)
    return screen.queryByTestId('recipient')
  }

  test('default', () => {
    const element = show({ walletAddress: buyer })
    expect(element?.textContent).toBe('0x9F3b…E5F6')
    expect(element?.title).toBe(buyer)
  })

  test('behavior: an e-mail address is shown whole, and before the wallet behind it', () => {
    const element = show({ email: 'ada.lovelace@example.com', walletAddress: buyer })
    expect(element?.textContent).toBe('ada.lovelace@example.com')
    expect(element?.title).toBe('')
  })

  test('behavior: absent without a recipient', () => {
    expect(show(undefined)).toBe(null)
  })
})

describe('ItemImage', () => {
  const image = () => screen.getByRole<HTMLImageElement>('img')

  test('behavior: keeps its size while it loads, and says its name if it fails', () => {
    mount(remote('bloom'), <Checkout.ItemImage />)
    expect([image().width, image().height]).toEqual([96, 96])
    expect(image().getAttribute('loading')).toBe('lazy')
    expect(image().getAttribute('decoding')).toBe('async')
    fireEvent.error(image())
    expect(image().dataset.status).toBe('failed')
    expect(image().alt).toBe('bloom')
  })

  test('parameters: width, height and loading', () => {
    mount(remote('bloom'), <Checkout.ItemImage width={320} height={180} loading="eager" />)
    expect([image().width, image().height]).toEqual([320, 180])
    expect(image().getAttribute('loading')).toBe('eager')
  })

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
