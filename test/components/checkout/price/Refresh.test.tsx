import { fireEvent, screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import type { Order, PaymentUse } from 'kassa/schema'
import { describe, expect, test, vi } from 'vitest'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../../stories/fixtures/orders.js'
import { type StepName, steps } from '../../../../stories/fixtures/steps.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

describeConformance({
  name: 'Refresh',
  part: (props) => <Checkout.Refresh {...props} />,
  value: createCheckout(orders.expired, { isRefreshing: true }),
  tag: 'button',
  data: { 'data-pending': '' },
})

test('default', () => {
  const actions = { refresh: vi.fn(), reset: vi.fn() }
  mount(createCheckout(orders.expired, actions), <Checkout.Refresh />)
  fireEvent.click(screen.getByRole('button', { name: 'Get a new price' }))
  expect(actions.refresh).toHaveBeenCalledTimes(1)
  // A failure that was read is over.
  expect(actions.reset).toHaveBeenCalledTimes(1)
})

test('behavior: a new price on its way is waited for', () => {
  const refresh = vi.fn()
  mount(createCheckout(orders.expired, { refresh, isRefreshing: true }), <Checkout.Refresh />)
  const button = screen.getByRole('button', { name: 'One moment…' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(button)
  expect(refresh).not.toHaveBeenCalled()
})

describe('after a payment that did not pay', () => {
  const used = (...uses: PaymentUse[]): Order => ({
    ...orders.underpaidRefunded,
    payment: {
      ...orders.underpaidRefunded.payment,
      transactions: uses.map((use, at) => ({ txId: `0x0${at}`, chain: 'base', use })),
    },
  })

  test.each([
    ['everything goes back', ['returned', 'returned'], true],
    ['a part waits for its refund', ['returned', 'part'], false],
    ['a payment is not decided about', ['pending'], false],
  ] as const)('behavior: %s', (_, uses, isOffered) => {
    const [refresh, edit] = [vi.fn(), vi.fn()]
    mount(
      createCheckout(used(...uses), { refresh, edit }),
      <>
        <Checkout.Refresh />
        <Checkout.Pay />
        <Checkout.PromotionForm />
      </>,
    )
    expect(screen.queryAllByRole('button', { name: 'Get a new price' })).toHaveLength(isOffered ? 2 : 0)
    expect(screen.queryByRole('form')).toEqual(isOffered ? expect.anything() : null)
  })
})

describe('behavior: absent unless the price can be renewed', () => {
  const cases: [OrderName, StepName, number][] = [
    ['expired', 'idle', 1],
    ['awaitingPaymentNative', 'quoteExpired', 1],
    ['awaitingPaymentNative', 'idle', 0],
    ['expired', 'awaitingSignature', 0],
    ['expired', 'uncertain', 0],
    ['paymentInProgress', 'idle', 0],
    ['completed', 'idle', 0],
  ]
  test.each(cases)('%s, %s: %i', (name, step, count) => {
    mount(createCheckout(orders[name], { step: steps[step] }), <Checkout.Refresh />)
    expect(screen.queryAllByRole('button')).toHaveLength(count)
  })
  test('nor where the caller gives no way to', () => {
    mount(createCheckout(orders.expired, { refresh: undefined }), <Checkout.Refresh />)
    expect(screen.queryByRole('button')).toBe(null)
  })
})
