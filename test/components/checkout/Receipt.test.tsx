import { screen, within } from '@testing-library/react'
import { Checkout } from 'kassa'
import { describe, expect, test } from 'vitest'
import { buyer, collection, txId } from '../../../stories/fixtures/build.js'
import { createCheckout } from '../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../stories/fixtures/orders.js'
import { describeConformance } from '../../conformance.js'
import { mount } from '../mount.js'

describeConformance({
  name: 'Receipt',
  part: (props) => <Checkout.Receipt {...props} />,
  value: createCheckout(orders.completed),
  tag: 'section',
  data: { 'data-stage': 'completed' },
})

test('default', () => {
  mount(createCheckout(orders.completed), <Checkout.Receipt />)
  const lines = within(screen.getByRole('region', { name: 'Receipt' })).getAllByRole('listitem')
  expect(lines.map((line) => line.textContent)).toEqual([
    `Night Bloom base-sepolia:${collection}:7`,
    `Evening Tide base-sepolia:${collection}:18`,
    `Evening Tide base-sepolia:${collection}:19`,
  ])
})

test('parameters: children, a function of the tokens', () => {
  mount(
    createCheckout(orders.completedWithFailure),
    <Checkout.Receipt>{(tokens) => JSON.stringify(tokens)}</Checkout.Receipt>,
  )
  expect(JSON.parse(screen.getByRole('region').textContent)).toEqual([
    expect.objectContaining({
      name: 'Night Bloom',
      locator: `base-sepolia:${collection}:7`,
      contractAddress: collection,
      tokenId: '7',
      txId: txId('d'),
      recipient: buyer,
    }),
  ])
})

describe('behavior: absent until the order is completed', () => {
  const absent: OrderName[] = ['awaitingPaymentNative', 'partlyDelivered', 'unknownFutureState']
  test.each(absent)('%s', (name) => {
    mount(createCheckout(orders[name]), <Checkout.Receipt />)
    expect(screen.queryByRole('region', { name: 'Receipt' })).toBe(null)
  })
})
