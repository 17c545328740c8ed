import { cleanup, screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { describe, expect, test } from 'vitest'
import { order } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../../stories/fixtures/orders.js'
import { describeConformance } from '../../../conformance.js'
import { unheardOf } from '../../../helpers/unheardOf.js'
import { mount } from '../../mount.js'

describeConformance({
  name: 'Refund',
  part: (props) => <Checkout.Refund {...props} />,
  value: createCheckout(orders.completedWithFailure),
  tag: 'p',
  data: { 'data-amount': '0.03', 'data-currency': 'eth' },
})

describe('default', () => {
  const cases: [OrderName, string][] = [
    ['underpaidRefunded', '0.02'],
    ['paidTooLate', '0.042'],
    ['excessRefunded', '0.008'],
    ['completedWithFailure', '0.03'],
    ['refundedInPart', '0.03'],
    ['refundedWhole', '0.042'],
  ]
  test.each(cases)('%s: %s', (name, amount) => {
    mount(createCheckout(orders[name]), <Checkout.Refund />)
    expect(screen.getByRole('paragraph').textContent).toBe(`${amount}\u00a0ETH was sent back to you.`)
  })
})

test('behavior: shows every digit of the refund', () => {
  const refunded = { amount: '0.012345678901234567', currency: 'eth' }
  mount(createCheckout(order({ payment: { refunded } })), <Checkout.Refund />)
  expect(screen.getByRole('paragraph').textContent).toContain('0.012345678901234567')
})

test.each([
  ['below-fee', 'is sent back once the network fee is lower than that.'],
  ['cap', 'will be sent back soon.'],
  [
    'contract-payer',
    'came from an exchange or a smart contract. Enter an address of your own to get it back.',
  ],
  ['refused', 'was not sent back to you yet. Contact the shop.'],
  ['moon-phase', 'was not sent back to you yet. Contact the shop.'],
])('behavior: says why a refund is held: %s', (reason, sentence) => {
  const refundHeld = { amount: '0.01', currency: 'eth', reason: unheardOf(reason) }
  mount(createCheckout(order({ payment: { refundHeld } })), <Checkout.Refund />)
  expect(screen.getByRole('paragraph').textContent).toBe(`0.01\u00a0ETH ${sentence}`)
})

test.each([
  ['underpaid', 'The payment was less than the price.'],
  ['expired', 'The payment came after the quote had expired.'],
  ['unknown', 'The payment did not match the order.'],
  ['overpaid', 'More than the price was paid.'],
  ['duplicate', 'The order was paid more than once.'],
  ['undelivered', 'Not everything could be delivered.'],
  ['requested', 'The shop refunded it.'],
  ['voided', 'The shop did not confirm the order.'],
  ['capture-expired', 'The shop did not confirm the order in time.'],
])('behavior: says why money was sent back: %s', (cause, sentence) => {
  const refunded = { amount: '0.01', currency: 'eth', causes: [unheardOf(cause), unheardOf('moon-phase')] }
  mount(createCheckout(order({ payment: { refunded } })), <Checkout.Refund />)
  expect(screen.getByRole('paragraph').textContent).toBe(`0.01\u00a0ETH was sent back to you. ${sentence}`)
})

test('behavior: gives every cause, and the merchant’s own words', () => {
  const causes = [unheardOf('overpaid'), unheardOf('requested')]
  const refunded = { amount: '0.01', currency: 'eth', causes, reason: 'The print was damaged' }
  mount(createCheckout(order({ payment: { refunded } })), <Checkout.Refund />)
  expect(screen.getByRole('paragraph').textContent).toBe(
    '0.01\u00a0ETH was sent back to you. More than the price was paid. The shop refunded it. “The print was damaged”',
  )
})

test('behavior: says that a refund waits for the shop, alone and after what was sent', () => {
  const refunded = { amount: '0.02', currency: 'eth' }
  const refundHeld = { amount: '0.01', currency: 'eth' }
  const waiting = '0.01\u00a0ETH was not sent back to you yet. Contact the shop.'
  mount(createCheckout(order({ payment: { refundHeld } })), <Checkout.Refund />)
  expect(screen.getByRole('paragraph').textContent).toBe(waiting)
  cleanup()
  mount(createCheckout(order({ payment: { refunded, refundHeld } })), <Checkout.Refund />)
  expect(screen.getByRole('paragraph').textContent).toBe(`0.02\u00a0ETH was sent back to you. ${waiting}`)
})

describe('behavior: absent where nothing was sent back', () => {
  const absent: OrderName[] = ['awaitingPaymentNative', 'underpaid', 'completed']
  test.each(absent)('%s', (name) => {
    mount(createCheckout(orders[name]), <Checkout.Refund />)
    expect(screen.queryByRole('paragraph')).toBe(null)
  })
})
