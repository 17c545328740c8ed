import { act, screen } from '@testing-library/react'
import { Checkout, type CheckoutValue } from 'kassa'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { messages as german } from '../../../../src/locales/de-DE.js'
import { messages as english } from '../../../../src/locales/en-US.js'
import { expiresAt, quotedAt } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../../stories/fixtures/orders.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'

const endMs = Date.parse(expiresAt)
const at = (nowMs: number | undefined, order = orders.awaitingPaymentNative): CheckoutValue =>
  createCheckout(order, { nowMs })

describeConformance({
  name: 'Expiry',
  part: (props) => <Checkout.Expiry {...props} />,
  value: at(endMs - 42_000),
  tag: 'time',
  data: { 'data-seconds-left': '42', 'data-time-left': '0:42', 'data-low': '' },
})

afterEach(() => {
  vi.useRealTimers()
})

test('default', () => {
  mount(at(endMs - 245_000), <Checkout.Expiry />)
  const timer = screen.getByRole('timer')
  expect(timer.textContent).toBe('4:05')
  expect(timer.getAttribute('datetime')).toBe(expiresAt)
  expect(timer.getAttribute('aria-live')).toBe('off')
})

describe('behavior: a screen reader gets the time in words, in the language of the sentence', () => {
  test.each([
    [english, 'Price locked for 4 minutes 5 seconds'],
    [german, 'Preis gilt noch 4 Minuten 5 Sekunden'],
  ])('%#', (messages, label) => {
    mount({ ...at(endMs - 245_000), messages }, <Checkout.Expiry />)
    expect(screen.getByRole('timer', { name: label }).textContent).toBe('4:05')
  })
})

describe('behavior: how time is written', () => {
  test.each([
    [3_845_000, '1:04:05'],
    [3_600_000, '1:00:00'],
    [3_599_000, '59:59'],
    [59_001, '1:00'],
    [1, '0:01'],
    [0, '0:00'],
    [-5_000, '0:00'],
  ])('%i ms: %s', (leftMs, text) => {
    const { quote, ...order } = orders.awaitingPaymentNative
    const aged = { ...order, quote: { ...quote, quotedAt: new Date(endMs - 7_200_000).toISOString() } }
    mount(at(endMs - leftMs, aged), <Checkout.Expiry />)
    expect(screen.getByRole('timer').textContent).toBe(text)
  })
})

test('behavior: by a clock that is behind, it is no more than the quote had', () => {
  mount(at(Date.parse(quotedAt) - 400), <Checkout.Expiry />)
  expect(screen.getByRole('timer').textContent).toBe('10:00')
})

test('behavior: counts down automatically, and the button follows', () => {
  vi.useFakeTimers({ now: endMs - 2_000 })
  mount(
    at(undefined),
    <>
      <Checkout.Expiry />
      <Checkout.Pay />
    </>,
  )
  expect(screen.getByRole('timer').textContent).toBe('0:02')
  act(() => void vi.advanceTimersByTime(1_000))
  expect(screen.getByRole('timer').textContent).toBe('0:01')
  expect(screen.getByRole('button').dataset.action).toBe('pay')
  act(() => void vi.advanceTimersByTime(1_000))
  expect(screen.getByRole('timer').textContent).toBe('0:00')
  expect(screen.getByRole('timer').dataset.expired).toBe('')
  expect(screen.getByRole('button').dataset.action).toBe('refresh')
})

test('behavior: the server says nothing of the time', () => {
  const html = renderToString(
    <Checkout.Root value={at(undefined)}>
      <Checkout.Expiry />
    </Checkout.Root>,
  )
  expect(html).toContain('role="timer"')
  expect(html).not.toMatch(/\d:\d\d</)
})

describe('behavior: absent when there is no price to hold', () => {
  const absent: OrderName[] = [
    'requiresRecipient',
    'paymentInProgress',
    'delivering',
    'completed',
    'unknownFutureState',
  ]
  test.each(absent)('%s', (name) => {
    mount(at(endMs, orders[name]), <Checkout.Expiry />)
    expect(screen.queryByRole('timer')).toBe(null)
  })
})
