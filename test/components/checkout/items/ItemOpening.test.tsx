import { screen } from '@testing-library/react'
import { Checkout, type CheckoutValue } from 'kassa'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { item, order } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { opensAt, saleEnded, saleNotStarted } from '../../../../stories/fixtures/sale.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

const opensAtMs = Date.parse(opensAt)
const before = (ms: number, changes: Partial<CheckoutValue> = {}) =>
  createCheckout(saleNotStarted, { nowMs: opensAtMs - ms, ...changes })

describeConformance({
  name: 'ItemOpening',
  part: (props) => <Checkout.ItemOpening {...props} />,
  value: before(0),
  tag: 'time',
  data: { 'data-seconds-left': '0', 'data-open': '' },
})

const show = (value: CheckoutValue) => mount(value, <Checkout.ItemOpening />)

test('default', () => {
  show(before(3_845_000))
  const timer = screen.getByRole('timer')
  expect(timer.textContent).toBe('Opens in 1:04:05')
  expect(timer.getAttribute('datetime')).toBe(opensAt)
  expect(timer.getAttribute('aria-live')).toBe('off')
  expect(timer.hasAttribute('data-open')).toBe(false)
})

test('behavior: from a day on it says the date', () => {
  show(before(25 * 3_600_000))
  expect(screen.getByRole('timer').textContent).toMatch(
    /^This sale has not started yet. \w{3} \d, 2026, \d+:\d\d.[AP]M$/,
  )
})

test('behavior: a server, which knows no clock of the buyer, says no time', () => {
  const html = renderToString(
    <Checkout.Root value={before(0, { nowMs: undefined })}>
      <Checkout.Items>
        <Checkout.ItemOpening />
      </Checkout.Items>
    </Checkout.Root>,
  )
  expect(html).toContain('This sale has not started yet.')
  expect(html).not.toContain('Opens in')
})

test('behavior: once the sale is open, the buyer can request a price', () => {
  const refresh = vi.fn()
  const { show: showNext } = mount(before(1, { refresh }), <Checkout.Refresh />)
  expect(screen.queryByRole('button')).toBe(null)
  showNext(before(0, { refresh }))
  screen.getByRole('button').click()
  expect(refresh).toHaveBeenCalledOnce()
})

const endsAt = opensAt
const ending = (ms: number) =>
  createCheckout(order({ lineItems: [item({ quote: { sale: { endsAt } } })] }), {
    nowMs: Date.parse(endsAt) - ms,
  })

test('behavior: once the sale is open it counts down to its end', () => {
  const { show: showNext } = mount(ending(65_000), <Checkout.ItemOpening />)
  const timer = screen.getByRole('timer')
  expect(timer.textContent).toBe('Sale ends in 1:05')
  expect(timer.getAttribute('datetime')).toBe(endsAt)
  expect(timer.hasAttribute('data-ending')).toBe(true)
  showNext(ending(25 * 3_600_000))
  expect(timer.textContent).toMatch(/^Sale ends \w{3} \d, 2026, \d+:\d\d.[AP]M$/)
  showNext(ending(0))
  expect(screen.queryByRole('timer')).toBe(null)
})

test('behavior: absent if the sale is open without an end, or has ended', () => {
  show(createCheckout(saleEnded))
  expect(screen.queryByRole('timer')).toBe(null)
  show(createCheckout(orders.awaitingPaymentNative))
  expect(screen.queryByRole('timer')).toBe(null)
})
